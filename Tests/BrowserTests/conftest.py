"""What the browser tests share: a server, a browser, and a page that tells what went wrong in it.

Each test's sentence is what must hold; it is printed behind the test's name.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from shop import CHECKOUT, Shop

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}
SCREENSHOTS = CHECKOUT / ".build/browser/screenshots"

#: Watches a page from its beginning: what moved by itself, the largest paint, and what its policy forbade.
WATCH = """
  window.__seen = {cls: 0, shifts: [], lcp: 0, violations: []};
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
    __seen.cls += entry.value;
    __seen.shifts.push(...entry.sources.map((source) => source.node?.className || source.node?.nodeName));
  } }).observe({type: 'layout-shift', buffered: true});
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) __seen.lcp = entry.startTime; })
    .observe({type: 'largest-contentful-paint', buffered: true});
  document.addEventListener('securitypolicyviolation', (event) =>
    __seen.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    report.sentence = " ".join((item.function.__doc__ or item.name).split())
    return report


def pytest_report_teststatus(report):
    if report.when == "call" and report.outcome in ("passed", "failed"):
        return report.outcome, report.outcome[0].replace("p", "."), f"{report.outcome.upper()}: {report.sentence}"
    return None


@pytest.fixture(scope="session")
def shop():
    shop = Shop()
    yield shop
    shop.close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root, as whom a container's tests run; it sees nothing but this shop.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=options)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page in a window of its own."""

    page: object
    context: object
    errors: list[str] = field(default_factory=list)

    def go(self, url: str):
        self.page.goto(url)
        self.settle()
        return self.page

    def settle(self):
        """Waits until the page shows what it has: its heading, and every picture that is on the screen."""
        self.page.wait_for_selector("main h1", state="attached")
        self.page.wait_for_function("""() => [...document.images].every((image) => image.complete)
            && [...document.querySelectorAll('.picture')].every((frame) => {
              const box = frame.getBoundingClientRect();
              const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
              const isSeen = middle && (frame.contains(middle) || middle.contains(frame) || middle.closest('.card')?.contains(frame));
              return !isSeen || frame.matches('.loaded, .failed');
            })""")

    @property
    def seen(self) -> dict:
        return self.page.evaluate("__seen")

    def axe(self) -> str:
        """What axe finds, as text; empty when it finds nothing."""
        # What is still fading in has no contrast to be judged.
        self.page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        result = Axe().run(self.page, options={"resultTypes": ["violations"]})
        return "\n".join(
            f"{found['id']}: {found['help']}: " + "; ".join(node["html"][:160] for node in found["nodes"][:3])
            for found in result.response["violations"])

    def expect_clean(self):
        """Nothing in the console, nothing forbidden, nothing wider than the screen."""
        assert self.errors == []
        assert self.seen["violations"] == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def screenshot(self, name: str):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


@pytest.fixture
def visit(browser):
    """Opens windows: `visit(size="phone", theme="dark", language="ko")`."""
    contexts = []

    def open_window(size="desktop", theme="light", language="en", worker=False, motion="no-preference", **options):
        context = browser.new_context(
            viewport=SIZES[size], color_scheme=theme, locale={"ko": "ko-KR", "en": "en-US"}[language], reduced_motion=motion,
            service_workers="allow" if worker else "block", **options)
        contexts.append(context)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(15_000)
        one = Visit(page, context)
        page.on("console", lambda message: note(one, message))
        page.on("pageerror", lambda error: one.errors.append(str(error)))
        return one

    def note(one, message):
        if message.type not in ("error", "warning") or "blocked by Playwright" in message.text:
            return
        one.errors.append(f"{message.text} ({message.location.get('url', '')})")

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def own_shop():
    """Makes servers of a test's own, to be stopped and changed."""
    shops = []

    def make(change=None, arguments=(), before=None):
        shops.append(Shop(change, arguments, before))
        return shops[-1]

    yield make
    for one in shops:
        one.close()

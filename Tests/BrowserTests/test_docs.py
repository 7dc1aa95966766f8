"""The documentation, as developers read it."""

import json

import pytest

from shop import CHECKOUT

API = json.loads((CHECKOUT / "Public/openapi.json").read_text())
OPERATIONS = [operation["operationId"] for item in API["paths"].values() for operation in item.values()]
SURFACES = ["woowa2018", "baminchan2020", "onban2022", "team2020"]


def open_docs(shop, one, place=""):
    page = one.page
    page.goto(f"{shop.url}/docs{place}")
    page.wait_for_selector(f"#{OPERATIONS[-1]}")
    return page


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("path", ["/docs", "/problems/origin-timeout"])
def test_every_form(shop, visit, path, size, theme, language):
    """A page is without fault: no error, nothing forbidden, nothing too wide, nothing that axe finds."""
    one = visit(size=size, theme=theme, language=language)
    if path == "/docs":
        open_docs(shop, one)
    else:
        one.page.goto(shop.url + path)
    one.expect_clean()
    assert one.axe() == ""
    one.screenshot(f"{path.strip('/').replace('/', '-')}-{size}-{theme}-{language}")
    assert one.seen["cls"] < 0.02, one.seen["shifts"]


def test_everything(shop, visit):
    """Every operation, surface and problem of openapi.json is shown, and the contents lead to each."""
    page = open_docs(shop, visit())
    shown = page.locator(".operation").evaluate_all("(all) => all.map((one) => one.id)")
    assert shown == OPERATIONS
    links = page.locator(".contents a").evaluate_all("(all) => all.map((one) => one.hash.slice(1))")
    assert set(OPERATIONS) <= set(links)
    assert all(page.locator(f"[id='{link}']").count() == 1 for link in links)
    problems = page.locator("#problems tbody code").all_inner_texts()
    assert problems == [problem["code"] for problem in API["x-problems"]]


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name not in ("listenToEvents",)])
def test_try(shop, visit, operation):
    """An operation can be tried as it stands, and its answer is shown."""
    page = open_docs(shop, visit())
    page.click(f"#{operation} form button[type=submit]")
    page.wait_for_selector(f"#{operation} .status[data-good=true]")
    if operation == "getPicture":
        page.wait_for_function("() => document.querySelector('.answer-picture')?.naturalWidth > 0")
    else:
        page.wait_for_function(f"() => document.querySelector('#{operation} .answer code').textContent.length > 10")


def test_try_stream(shop, visit):
    """The stream of events is shown as it comes, until it is stopped."""
    page = open_docs(shop, visit(language="en"))
    page.click("#listenToEvents form button[type=submit]")
    page.wait_for_selector("#listenToEvents .answer code >> text=event: catalog")
    page.click("#listenToEvents .try-buttons >> text=Stop")
    page.wait_for_selector("#listenToEvents .try-buttons button:nth-child(2)", state="hidden")


def test_try_wrong(shop, visit):
    """A parameter that is changed is sent, and in the snippets; a problem is shown with its status."""
    page = open_docs(shop, visit())
    page.fill("#getProduct-id", "NO SUCH")
    assert "/api/v1/products/NO%20SUCH" in page.inner_text("#getProduct .snippets code")
    page.click("#getProduct form button[type=submit]")
    page.wait_for_selector("#getProduct .status[data-good=false] >> text=404")
    assert '"code": "not-found"' in page.inner_text("#getProduct .answer")


def test_snippets(shop, visit):
    """A request stands in curl, fetch and Swift, with this server's address; a choice holds for all, and can be copied."""
    one = visit(permissions=["clipboard-read", "clipboard-write"])
    page = open_docs(shop, one)
    for name, begins in [("curl", "curl -s "), ("fetch", "const response = await fetch("), ("Swift", "var request = URLRequest(")]:
        page.click(f"#getCatalog [data-snippet={name}]")
        for operation in ["getCatalog", "getPicture"]:
            text = page.inner_text(f"#{operation} .snippets code")
            assert text.startswith(begins) and shop.url in text
    page.click("#getCatalog .copy")
    assert page.evaluate("navigator.clipboard.readText()").startswith("var request")


@pytest.mark.parametrize("surface", SURFACES)
def test_surfaces(shop, visit, surface):
    """For each surface there is a base URL, what to change, and an address to look at that answers."""
    page = open_docs(shop, visit())
    card = page.locator(f"#app-{surface}")
    base = card.locator(".base").inner_text()
    assert base.startswith(shop.url)
    address = card.locator("dd a").get_attribute("href")
    assert (shop.url + address).startswith(base)
    assert json.loads(shop.get(address))


def test_forms(shop, visit):
    """The form of an answer can be opened to its last key, by keyboard."""
    page = open_docs(shop, visit(language="en"))
    page.focus("#getProduct .answers summary >> nth=0")
    page.keyboard.press("Enter")
    page.locator("#getProduct .schema summary", has_text="product").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#getProduct .keys .keys summary >> code >> text=delivery")
    for key in ["discountPercent", "notices", "createdAt"]:
        assert page.locator(f"#getProduct .key >> text={key}").first.is_visible()
    assert '"소갈비찜"' in page.inner_text("#getProduct .answers pre")


def test_problem_pages(shop, visit):
    """Every problem has a page that says in both languages what it means."""
    for problem in API["x-problems"]:
        text = shop.get("/problems/" + problem["code"]).decode()
        assert "What to do" in text and "어떻게 하나요" in text
        assert problem["detail"] in text and problem["x-ko"]["detail"] in text and problem["title"] in text

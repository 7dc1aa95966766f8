"""`serve --dev`, as somebody meets it who builds a front end."""

import http.client
import json
import urllib.error
import urllib.request

import pytest


@pytest.fixture
def dev_shop(own_shop):
    """Makes servers in dev mode."""
    return lambda *arguments, change=None: own_shop(change, ["--dev", *arguments])


def open_panel(one, shop, path="/"):
    page = one.go(shop.url + path)
    page.click(".development-button")
    page.wait_for_selector(".development")
    return page


def choose(page, *faults):
    """Turns faults on by their buttons; the page loads anew."""
    for fault in faults:
        page.click(f"[data-fault='{fault}']")
    apply(page)


def apply(page, button="submit"):
    with page.expect_navigation():
        page.click(f".development-buttons button[type={button}]")
    page.wait_for_selector(".development-place *")


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_form(dev_shop, visit, size, theme, language):
    """The panel is without fault, closed, open, and with a broken seed file."""
    shop = dev_shop("--fault", "/onban status=503 rate=0.2 seed=7")
    one = visit(size=size, theme=theme, language=language)
    page = one.go(shop.url)
    page.wait_for_selector(".development-button")
    assert one.axe() == ""
    page.click(".development-button")
    page.wait_for_selector(".development-requests li[data-number]")
    page.wait_for_selector("text='/onban status=503 rate=0.2 seed=7'")
    assert one.axe() == ""
    one.screenshot(f"dev-panel-{size}-{theme}-{language}")
    shop.write_seed(lambda catalog: catalog["products"][0].update(price=-5, badges=["cheap"]))
    page.wait_for_selector(".development-seed[data-good=false] li >> nth=1")
    assert one.axe() == ""
    one.screenshot(f"dev-seed-{size}-{theme}-{language}")
    one.expect_clean()


# MARK: The seed folder


def test_seed(dev_shop, visit):
    """A saved seed file is on the page; a broken one opens the panel and says where, while the page stays as it was."""
    shop = dev_shop()
    one = visit(language="ko")
    page = one.go(shop.url)
    page.wait_for_selector(".development-button")
    shop.write_seed(lambda catalog: catalog["products"][0].update(price=19_900))
    page.wait_for_selector("#main .card >> text=19,900원")
    shop.write_seed(lambda catalog: catalog["products"][0].update(price=-5))
    page.wait_for_selector(".development-seed[data-good=false] code >> text='/products/0/price'")
    assert "19,900원" in page.inner_text("#main")
    page.click("[data-switch=language]")
    page.wait_for_selector("text=1 fault in the seed file")
    shop.write_seed()
    page.wait_for_selector(".development-seed[data-good=true]")
    page.wait_for_selector("#main .card >> text=₩24,900")
    one.expect_clean()


def test_half_saved(dev_shop, visit):
    """A file that breaks off is said to, and the page stays; when the rest of it is there, it is shown."""
    shop = dev_shop()
    page = visit(language="en").go(shop.url)
    page.wait_for_selector(".development-button")
    whole = shop.seed_text(lambda catalog: catalog["products"][0].update(price=19_900))
    (shop.seed / "catalog.json").write_text(whole[:len(whole) // 2])
    page.wait_for_selector(".development-seed[data-good=false]")
    assert "₩24,900" in page.inner_text("#main")
    (shop.seed / "catalog.json").write_text(whole)
    page.wait_for_selector("#main .card >> text=₩19,900")
    page.wait_for_selector(".development-seed[data-good=true]")


def test_dropped_picture(dev_shop, visit):
    """A product whose picture is not there yet has a placeholder, until the picture is dropped into the folder."""
    def change(catalog):
        catalog["products"][0].update(image="갈비.jpg", images=["갈비.jpg"])

    shop = dev_shop(change=change)
    shown = lambda: shop.json("/api/v1/products/HBDEF")["product"]["image"]["id"]
    placeholder = shop.json("/api/v1/images")["placeholderPicture"]
    shop.until(lambda: shown() == placeholder)
    page = visit(language="ko").go(shop.url + "/products/HBDEF")
    page.wait_for_selector(f".gallery img[src*='{placeholder}']")
    (shop.seed / "갈비.jpg").write_bytes((shop.seed / "images" / "galbi-1.jpg").read_bytes())
    shop.until(lambda: shown() != placeholder and shop.json("/api/v1/products/HBDEF")["product"]["image"]["placeholder"])
    page.reload()
    page.wait_for_selector(f".gallery .picture.loaded img[src*='{shown()}']")


# MARK: Requests


def test_requests(dev_shop, visit):
    """Whatever any client asks is listed as it comes, with its status; what these pages load only if one wants it."""
    shop = dev_shop()
    one = visit(language="en")
    page = open_panel(one, shop)
    shop.get("/onban/main?page=2")
    page.wait_for_selector("[data-bad=false] code >> text=GET /onban/main?page=2")
    with pytest.raises(urllib.error.HTTPError):
        shop.get("/onban/detail/NONE")
    row = page.locator(".development-requests li", has_text="/onban/detail/NONE")
    row.wait_for()
    assert row.get_attribute("data-bad") == "true" and row.locator("strong").inner_text() == "404"
    numbers = page.locator(".development-requests li").evaluate_all("(all) => all.map((one) => Number(one.dataset.number))")
    assert numbers == sorted(numbers, reverse=True)
    own = page.locator(".development-requests code", has_text="/app/main.js")
    assert own.count() == 0
    page.check(".development-all input")
    own.wait_for()
    one.expect_clean()


def test_listed_faults(dev_shop, visit):
    """A request that was made to fail is listed with its fault, and one that got no answer as well."""
    shop = dev_shop()
    page = open_panel(visit(language="en"), shop)
    for fault in ("status=503", "drop", "truncate=0.5"):
        request = urllib.request.Request(shop.url + "/api/v1/sections", headers={"Banchan-Fault": fault})
        with pytest.raises((OSError, http.client.HTTPException)):
            urllib.request.urlopen(request, timeout=20).read()
        page.locator(".development-requests li[data-bad=true]", has=page.locator(f"em >> text={fault}")).wait_for()
    assert page.locator("li", has_text="dropped").count() == 1
    assert page.locator("li", has_text="broken off").count() == 1


# MARK: Faults


def test_fault(dev_shop, visit):
    """A fault is turned on by a button for this browser alone, is seen at once, and is turned off again."""
    shop = dev_shop()
    one = visit(language="en")
    page = open_panel(one, shop)
    choose(page, "status=503")
    page.wait_for_selector("h1 >> text=The shop cannot be reached")
    page.wait_for_selector(".development-now code >> text=status=503")
    assert visit(language="en").go(shop.url).locator(".featured").count() == 1
    apply(page, "button")
    page.wait_for_selector(".featured")
    assert page.inner_text(".development-now") == "No fault is on."


@pytest.mark.parametrize("fault, shown", [
    ("empty", "text=There is nothing on the shelves yet."),
    ("status=500", "h1 >> text=The shop cannot be reached"),
    ("drop", "h1 >> text=The shop cannot be reached"),
    ("truncate=0.5", "h1 >> text=The shop cannot be reached"),
    ("missing=image", "h1 >> text=The shop cannot be reached"),
    ("null=price", "h1 >> text=The shop cannot be reached"),
    ("drip=20000", ".featured"),
    ("latency=200ms..2s", ".featured"),
    ("latency=lognormal:400ms:0.8", ".featured"),
    ("picture=stale", ".featured"),
])
def test_each_fault(dev_shop, visit, fault, shown):
    """Under each fault the storefront says something sensible, and the panel is there to turn it off."""
    shop = dev_shop()
    page = open_panel(visit(language="en"), shop)
    choose(page, fault)
    page.wait_for_selector(shown)
    page.wait_for_selector(f"[data-fault='{fault}'][aria-pressed=true]")
    apply(page, "button")
    page.wait_for_selector(".featured")


def test_product_fault(dev_shop, visit):
    """A product whose details are broken is shown as lists know it, and in full as soon as they are whole."""
    shop = dev_shop("--fault", "/api/v1/products missing=images rate=0.5 seed=1")
    page = visit(language="en").go(shop.url + "/products/HBDEF")
    page.wait_for_selector("h1 >> text=소갈비찜")
    page.wait_for_selector(".notices", timeout=40_000)


def test_broken_pictures(dev_shop, visit):
    """Broken pictures are broken at once, also those that the browser had, and whole again without the fault."""
    shop = dev_shop()
    one = visit(language="en", worker=True)
    page = open_panel(one, shop)
    page.wait_for_selector(".featured .picture.loaded")
    choose(page, "picture=broken")
    page.wait_for_selector(".featured .picture.failed >> text=The picture could not be loaded")
    assert page.locator(".featured .picture.loaded").count() == 0
    apply(page, "button")
    page.wait_for_selector(".featured .picture.loaded")
    one.settle()
    assert page.locator(".picture.failed").count() == 0


def test_stale_pictures(dev_shop, visit):
    """The panel of pictures tells those that the origin did not confirm from those that it did."""
    shop = dev_shop()
    page = open_panel(visit(language="en"), shop)
    choose(page, "picture=stale")
    page.wait_for_selector(".featured .picture.loaded")
    page.click("[data-switch=panel]")
    page.wait_for_selector(".panel li[data-state=stale] >> text=stale copy")
    assert page.inner_text(".panel-asked") == "The origin was asked 0 times"


def test_unknown_fault(dev_shop, visit):
    """A fault that is none is refused in the panel, in the server's words, and nothing is turned on."""
    shop = dev_shop()
    page = open_panel(visit(language="en"), shop)
    page.fill(".development input[name=plan]", "slow=yes")
    page.keyboard.press("Enter")
    page.wait_for_selector(".development-now >> text='slow=yes' is no fault")
    assert page.evaluate("document.cookie") == ""


def test_together(dev_shop, visit):
    """Faults are put together by their buttons, one of a kind, and stand in the field as they are written."""
    page = open_panel(visit(), dev_shop())
    for fault in ("status=500", "missing=image", "rate=0.3", "status=503", "null=price", "rate=0.3"):
        page.click(f"[data-fault='{fault}']")
    assert page.input_value(".development input[name=plan]") == "missing=image status=503 null=price"


def test_keyboard(dev_shop, visit):
    """The panel is opened, used and closed by keyboard alone, and stays as it was left."""
    shop = dev_shop()
    one = visit(language="en")
    page = one.go(shop.url)
    page.focus(".development-button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-label') === 'Close'")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.input_value(".development input[name=plan]") == "latency=300ms"
    page.reload()
    page.wait_for_selector(".development")
    page.focus(".development input[name=plan]")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.className === 'development-button'")
    page.reload()
    page.wait_for_selector(".development-button")


# MARK: In production


def test_production(own_shop, visit):
    """Without --dev there is no panel, no list of requests, and a fault in a cookie or a field means nothing."""
    shop = own_shop()
    one = visit(language="en")
    one.context.add_cookies([{"name": "banchan-fault", "value": "status%3D500", "url": shop.url}])
    page = one.go(shop.url)
    page.wait_for_selector(".featured")
    request = urllib.request.Request(shop.url + "/api/v1/sections", headers={"Banchan-Fault": "drop"})
    assert json.load(urllib.request.urlopen(request))["sections"]
    # What comes over the stream of events is there by the time that a change is.
    page.wait_for_timeout(300)
    shop.import_catalog(lambda catalog: catalog["products"][0].update(price=19_900))
    page.wait_for_selector("#main .card >> text=₩19,900")
    assert page.locator(".development-place").count() == 0
    one.expect_clean()

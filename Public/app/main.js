// The storefront: shows what the address names, and changes the page without leaving it.

import { element, icon } from "/app/elements.js";
import { catalog, forgetDetails } from "/app/catalog.js";
import { Unreachable, afterTrouble, checkConnection, say } from "/app/connection.js";
import { collectionPage, home, results } from "/app/home.js";
import { fillFrame, startSwitches } from "/app/frame.js";
import { keepForLater } from "/app/keeping.js";
import { mayMove } from "/app/preferences.js";
import { refreshPanel, startPanel, togglePanel } from "/app/panel.js";
import { productPage } from "/app/product.js";
import { word } from "/app/words.js";

const content = document.getElementById("content");
const field = document.querySelector("input[name=q]");
let shownVersion = null;

// MARK: Showing

/** What the address names, as elements and a title; null when there is no such thing. */
function pageFor(shelves) {
  const typed = new URLSearchParams(location.search).get("q") ?? "";
  const [kind, id] = location.pathname.split("/").slice(1).map(decoded);
  if (kind === "products") return productPage(shelves, id);
  if (kind === "collections") return collectionPage(shelves, id);
  return typed.trim() === "" ? home(shelves) : results(shelves, typed);
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Shows the page of the current address. `isArrival`: whether somebody just came to it, and should hear its heading. */
async function show({ isArrival = false, scroll = null, fresh = false, attempt = 0 } = {}) {
  let shelves, page;
  try {
    shelves = await catalog({ fresh });
    for (const place of document.querySelectorAll("[data-shop-name]")) place.textContent = shelves.shop.name;
    // An answer that lacks something is no better than none.
    page = pageFor(shelves) ?? missing();
  } catch (error) {
    showTrouble(error, attempt);
    return;
  }
  shownVersion = shelves.version;
  const put = () => {
    content.replaceChildren(...page.filter(Boolean));
    const title = content.querySelector("h1")?.textContent;
    if (location.search) document.getElementById("heard").textContent = title;
    document.title = title && title !== shelves.shop.name ? `${title} · ${shelves.shop.name}` : shelves.shop.name;
    if (scroll !== null) scrollTo({ top: scroll, behavior: "instant" });
    else if (location.hash) document.getElementById(decoded(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" });
    if (isArrival) hear();
  };
  if (isArrival && mayMove() && document.startViewTransition) {
    await document.startViewTransition(put).updateCallbackDone.catch(() => {});
  } else {
    put();
  }
}

/** Puts the focus on the new page's heading, as a page that is loaded anew would. */
function hear() {
  const heading = content.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? content).focus({ preventScroll: true });
}

function missing() {
  return [
    element("div", { class: "trouble" },
      icon("bowl"), element("h1", {}, word("missing")), element("p", {}, word("missingNote")),
      element("p", {}, element("a", { class: "button", href: "/" }, word("home")))),
  ];
}

function showTrouble(error, attempt) {
  if (!(error instanceof Unreachable)) console.warn(error);
  document.getElementById("notices").replaceChildren();
  const trouble = element("div", { class: "trouble" },
    icon("bowl"), element("h1", {}, word("gone")), element("p", {}, word("goneNote")),
    element("p", {}, element("button", { class: "button", type: "button", on: { click: () => show({ fresh: true }) } }, word("retry"))));
  content.replaceChildren(trouble);
  afterTrouble(error, attempt, () => { if (trouble.isConnected) show({ fresh: true, attempt: attempt + 1 }); });
}

// MARK: Going about

history.scrollRestoration = "manual";

function leave() {
  history.replaceState({ ...history.state, scroll: scrollY }, "");
}

function go(url) {
  leave();
  history.pushState({}, "", url);
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  show({ isArrival: true, scroll: location.hash ? null : 0 });
}

/** Whether a page of the storefront is behind an address. */
function isOurs(url) {
  return url.origin === location.origin && (url.pathname === "/" || /^\/(products|collections)\/[^/]+$/u.test(url.pathname));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  if (!isOurs(url)) return;
  // A place on this same page is the browser's own business.
  if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
  event.preventDefault();
  go(url);
});

addEventListener("popstate", (event) => {
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  show({ isArrival: event.state !== null, scroll: event.state?.scroll ?? null });
});
addEventListener("pagehide", leave);

// MARK: Searching

let searching = 0;
field.addEventListener("input", () => {
  clearTimeout(searching);
  searching = setTimeout(search, 120);
});
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(searching);
  search();
});

/** Shows results while somebody types: the first letter makes a page to come back from, the rest change it. */
function search() {
  const typed = field.value.normalize("NFC");
  const address = typed.trim() === "" ? "/" : `/?q=${encodeURIComponent(typed)}`;
  if (address === location.pathname + location.search) return;
  const isRefining = location.pathname === "/" && location.search !== "";
  if (isRefining) {
    history.replaceState({}, "", address);
  } else {
    leave();
    history.pushState({}, "", address);
  }
  show({ scroll: 0 });
}

// MARK: Staying up to date

let events = null;

/** Hears of every new version of the catalog, as long as somebody looks. */
function listen() {
  if (document.visibilityState !== "visible" || events) return;
  events = new EventSource("/api/v1/events");
  events.addEventListener("catalog", (event) => refresh(JSON.parse(event.data).version));
  events.addEventListener("error", checkConnection);
  for (const [kind, take] of [["development", "develop"], ["seed", "tellSeed"], ["requests", "tellRequests"]]) {
    // Only a server in dev mode says anything of this, and only then is the panel loaded.
    events.addEventListener(kind, async (event) => (await import("/app/development.js"))[take](JSON.parse(event.data)));
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    listen();
  } else {
    events?.close();
    events = null;
  }
});

/** Shows another version. Most differ only in what is known of a picture, and nobody needs to see that happen. */
async function refresh(version) {
  if (shownVersion === null || version === shownVersion) return;
  const [before, now] = [await catalog(), await catalog({ fresh: true }).catch(() => null)];
  if (!now) return;
  shownVersion = now.version;
  forgetDetails();
  if (isSame(before, now)) return;
  await show({ scroll: scrollY });
  say(word("changed"));
}

function isSame(before, now) {
  const visible = (key, value) => (key === "version" || key === "image" ? undefined : value);
  return JSON.stringify(before, visible) === JSON.stringify(now, visible);
}

startSwitches({
  onLanguage: () => {
    fillFrame();
    refreshPanel();
    show({ scroll: scrollY });
  },
  more: { panel: togglePanel },
});
fillFrame();
field.value = new URLSearchParams(location.search).get("q") ?? "";
await show({ scroll: history.state?.scroll ?? null });
startPanel();
if (document.readyState !== "complete") await new Promise((loaded) => addEventListener("load", loaded, { once: true }));
listen();
keepForLater();

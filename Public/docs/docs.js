// The documentation: made in the page out of openapi.json, which is all that it knows.

import { element } from "/app/elements.js";
import { fillFrame, startSwitches } from "/app/frame.js";
import { keepForLater } from "/app/keeping.js";
import { operationView, operations, pathView } from "/docs/reference.js";
import { surfacesView } from "/docs/surfaces.js";
import { language } from "/app/preferences.js";
import { copyButton } from "/docs/snippets.js";
import { told, word } from "/docs/words.js";

const content = document.getElementById("content");
const contents = document.querySelector(".contents");
let api = null;

function show() {
  fillFrame(word);
  document.title = `Banchan ${word("brand")}`;
  if (!api) return;
  content.replaceChildren(start(), apps(), ...tags().map(reference), problems());
  contents.replaceChildren(table());
}

/** The tags, without the operations of one that this server does not have. */
function tags() {
  return api.tags
    .map((tag) => ({ tag, all: operations(api).filter(({ operation }) => operation.tags[0] === tag.name) }))
    .filter(({ all }) => all.length > 0);
}

function nameOf(tag) {
  return (language.current === "ko" && tag["x-ko"]?.name) || tag["x-name"] || tag.name;
}

// MARK: Parts

function start() {
  return element("section", { id: "start", "aria-labelledby": "start-title" },
    element("h1", { id: "start-title" }, word("start")),
    element("p", { class: "lead" }, word("startLead")),
    element("p", {}, word("startBase"), " ", element("code", { class: "base" }, location.origin), " ", copyButton(() => location.origin)),
    element("dl", { class: "rules" }, word("rules").map(([name, text]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, text)))));
}

function apps() {
  return element("section", { id: "apps", "aria-labelledby": "apps-title" },
    element("h2", { id: "apps-title" }, word("apps")),
    element("p", { class: "lead" }, word("appsLead")),
    surfacesView(api),
    element("p", { class: "hint" }, word("appsPhone")));
}

function reference({ tag, all }) {
  return element("section", { id: `tag-${tag.name}`, "aria-labelledby": `tag-${tag.name}-title` },
    element("h2", { id: `tag-${tag.name}-title` }, nameOf(tag)),
    element("p", { class: "lead" }, told(tag, "description")),
    all.map((each) => operationView(api, each)));
}

function problems() {
  return element("section", { id: "problems", "aria-labelledby": "problems-title" },
    element("h2", { id: "problems-title" }, word("problems")),
    element("p", { class: "lead" }, word("problemsLead")),
    element("div", { class: "scrolling", tabindex: "0", role: "group", "aria-labelledby": "problems-title" },
      element("table", {},
        element("thead", {}, element("tr", {}, ["code", "status", "meaning"].map((key) => element("th", { scope: "col" }, word(key))))),
        element("tbody", {}, api["x-problems"].map((problem) => element("tr", {},
          element("td", {}, element("a", { href: `/problems/${problem.code}` }, element("code", {}, problem.code))),
          element("td", {}, problem.status),
          element("td", {}, told(problem, "detail"))))))));
}

function table() {
  const link = (address, name) => element("li", {}, element("a", { href: `#${address}` }, name));
  const list = element("ul", {},
    link("start", word("start")), link("apps", word("apps")),
    tags().map(({ tag, all }) => element("li", {},
      element("a", { href: `#tag-${tag.name}` }, nameOf(tag)),
      element("ul", {}, all.map(({ path, operation }) => link(operation.operationId, pathView(path)))))),
    link("problems", word("problems")));
  const more = element("details", {}, element("summary", {}, word("contents")), list);
  // On a wide screen it stands beside the text, on a small one it is opened when it is wanted.
  more.open = matchMedia("(min-width: 60rem)").matches;
  list.addEventListener("click", () => { if (!matchMedia("(min-width: 60rem)").matches) more.open = false; });
  return more;
}

// MARK: Beginning

async function load() {
  try {
    const response = await fetch("/openapi.json");
    if (!response.ok) throw new Error(`status ${response.status}`);
    api = await response.json();
    show();
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  } catch (error) {
    console.warn(error);
    content.replaceChildren(element("div", { class: "trouble" },
      element("h1", {}, word("gone")), element("p", {}, word("goneNote")),
      element("p", {}, element("button", { class: "button", type: "button", on: { click: load } }, word("retry")))));
  }
}

startSwitches({ onLanguage: show });
fillFrame(word);
await load();
keepForLater();

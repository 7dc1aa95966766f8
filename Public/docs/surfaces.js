// For whoever has an app already: which surface it speaks, and what to change in it.

import { element } from "/app/elements.js";
import { operations, pathView } from "/docs/reference.js";
import { copyButton } from "/docs/snippets.js";
import { told, word } from "/docs/words.js";

const names = ["woowa2018", "baminchan2020", "onban2022", "team2020"];
/** The path of each that shows where the surface stands: what stands before it is the prefix. */
const tails = { team2020: "/categories" };

/** All surfaces, each with its base URL on this server. */
export function surfacesView(api) {
  return element("div", { class: "surfaces" }, names.map((name) => surfaceView(api, name)));
}

function surfaceView(api, name) {
  const all = operations(api).filter(({ operation }) => operation.tags.includes(name));
  const tail = tails[name] ?? "/detail/{hash}";
  const anchor = all.find(({ path }) => path.endsWith(tail));
  const tag = api.tags.find((tag) => tag.name === name);
  return element("div", { class: "surface", id: `app-${name}` },
    element("h3", {}, name),
    element("p", {}, tag ? told(tag, "description") : ""),
    anchor ? base(anchor.path.slice(0, -tail.length), all, name) : element("p", {}, word("appsOff")));
}

function base(prefix, all, name) {
  const url = location.origin + prefix;
  const sample = all.map(({ path }) => path).find((path) => /\{(section|path)\}$/u.test(path))?.replace(/\{\w+\}/u, "main");
  return [
    element("dl", { class: "fact-list" },
      element("div", {}, element("dt", {}, word("appsBase")), element("dd", {}, element("code", { class: "base" }, url || location.origin), " ", copyButton(() => url))),
      element("div", {}, element("dt", {}, word("appsChange")), element("dd", {}, word("surfaces")[name])),
      sample && element("div", {}, element("dt", {}, word("appsTry")), element("dd", {}, element("a", { href: sample }, pathView(sample))))),
    element("ul", { class: "paths" }, all.map(({ path, operation }) => element("li", {},
      element("a", { href: `#${operation.operationId}` }, pathView(path)), " ", told(operation, "summary")))),
  ];
}

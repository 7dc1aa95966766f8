// A small panel for whoever looks after the shop: where each picture came from, and how often the origin was asked for one.
//
// Pictures tell it in Server-Timing, which stands beside Cache-Status and, other than that, can be read by a page.

import { element, icon } from "/app/elements.js";
import { panelChoice } from "/app/preferences.js";
import { word } from "/app/words.js";

const seen = new Map();
let panel = null;
let pending = false;

/** What became of one picture. A browser that did not ask at all repeats an answer of old. */
function stateOf(entry) {
  const told = entry.serverTiming?.find((timing) => timing.name === "cache")?.description;
  if (told === "kept") return told;
  const isAsked = entry.transferSize > 0 || entry.workerStart > 0;
  return isAsked ? told ?? "unknown" : "browser";
}

function take(entries) {
  for (const entry of entries) {
    const path = new URL(entry.name).pathname;
    if (!path.startsWith("/images/") || entry.initiatorType !== "img") continue;
    seen.set(path, { state: stateOf(entry), bytes: entry.encodedBodySize, time: entry.duration });
  }
  if (panel && !pending) {
    pending = true;
    requestAnimationFrame(() => { pending = false; show(); });
  }
}

/** Begins to take notes; the panel opens by itself when it was left open. */
export function startPanel() {
  new PerformanceObserver((list) => take(list.getEntries())).observe({ type: "resource", buffered: true });
  performance.setResourceTimingBufferSize?.(2000);
  if (panelChoice.isOpen) open();
}

/** Opens or closes it. */
export function togglePanel() {
  if (panel) close();
  else open();
}

function open() {
  panelChoice.isOpen = true;
  panel = element("aside", { class: "panel", "aria-label": word("panelTitle") });
  document.body.append(panel);
  show();
}

function close() {
  panelChoice.isOpen = false;
  panel?.remove();
  panel = null;
  document.querySelector("[data-switch=panel]")?.focus();
}

/** Shows it anew, in the language of now. */
export function refreshPanel() {
  if (panel) show();
}

function show() {
  const counts = {};
  for (const { state } of seen.values()) counts[state] = (counts[state] ?? 0) + 1;
  const states = word("panelStates");
  const rows = [...seen].reverse();
  const hadFocus = panel.contains(document.activeElement);
  const scrolled = panel.querySelector(".panel-list")?.scrollTop ?? 0;
  panel.setAttribute("aria-label", word("panelTitle"));
  panel.replaceChildren(
    element("div", { class: "panel-head" },
      element("h2", {}, word("panelTitle")),
      element("button", { type: "button", class: "switch", "aria-label": word("panelClose"), on: { click: close } }, icon("close"))),
    element("p", { class: "panel-asked" }, word("panelAsked", counts.miss ?? 0)),
    element("ul", { class: "panel-counts" }, Object.entries(counts).map(([state, count]) =>
      element("li", { "data-state": state }, `${states[state] ?? state} ${count}`))),
    rows.length === 0 ? element("p", {}, word("panelNone"))
      : element("ul", { class: "panel-list", tabindex: "0", "aria-label": word("panelNote") }, rows.map(([path, { state, bytes, time }]) =>
        element("li", { "data-state": state },
          element("code", {}, path.slice("/images/".length)),
          element("span", {}, states[state] ?? state),
          element("span", { class: "panel-cost" }, bytes > 0 ? `${(bytes / 1024).toFixed(1)} KB · ${Math.round(time)} ms` : `${Math.round(time)} ms`)))),
  );
  const list = panel.querySelector(".panel-list");
  if (list) list.scrollTop = scrolled;
  if (hadFocus) panel.querySelector("button").focus();
}

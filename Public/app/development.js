// The panel of `serve --dev`: what is wrong with the seed file, faults for this browser, and the requests as they come.
// Loaded in dev mode alone; a button in the corner until somebody opens it.

import { developmentWord as word } from "/app/development-words.js";
import { element, icon } from "/app/elements.js";
import { faultForm, planNow } from "/app/faults.js";
import { language } from "/app/preferences.js";
import { requestList } from "/app/requests.js";

const key = "banchan.development";
/** What the server said last, by kind. */
const told = { development: null, seed: null, requests: [] };
let place = null;
let parts = null;

/** Takes what the server says of the mode: that it is on, and which faults are on for everybody. */
export function develop(event) {
  told.development = event;
  if (!place) begin();
  showRules();
}

/** Takes what the server says of the seed file; faults open the panel. */
export function tellSeed(event) {
  told.seed = event;
  if (!place) begin();
  if (event.total > 0 && !parts) open();
  showSeed();
  showAlert();
}

/** Takes the newest requests. */
export function tellRequests(event) {
  told.requests = event.requests;
  parts?.requests.show(told.requests);
}

function begin() {
  document.head.append(element("link", { rel: "stylesheet", href: "/app/development.css" }));
  place = element("div", { class: "development-place" });
  document.body.append(place);
  // Whoever changes the language wants this in it, too.
  new MutationObserver(() => (parts ? open() : close())).observe(document.documentElement, { attributeFilter: ["lang"] });
  if (sessionStorage.getItem(key) === "open") open();
  else close();
}

// MARK: Open and closed

function close({ isChosen = false } = {}) {
  parts = null;
  if (isChosen) sessionStorage.setItem(key, "closed");
  const button = element("button", { type: "button", class: "development-button", "aria-expanded": "false",
    on: { click: () => open({ isChosen: true }) } }, element("i", { "aria-hidden": "true" }), word("title"));
  place.replaceChildren(button);
  showAlert();
  if (isChosen) button.focus();
}

function open({ isChosen = false } = {}) {
  if (isChosen) sessionStorage.setItem(key, "open");
  const shut = element("button", { type: "button", class: "switch", "aria-label": word("close"),
    on: { click: () => close({ isChosen: true }) } }, icon("close"));
  parts = { seed: element("div", { role: "status" }), rules: element("div"), requests: requestList() };
  const shutByKey = (event) => { if (event.key === "Escape") close({ isChosen: true }); };
  place.replaceChildren(element("aside", { class: "development", "aria-label": word("title"), on: { keydown: shutByKey } },
    element("div", { class: "development-head" }, element("h2", {}, word("title")), shut),
    parts.seed, parts.requests.root, faultForm(), parts.rules));
  showSeed();
  showRules();
  parts.requests.show(told.requests);
  if (isChosen) shut.focus();
}

// MARK: What is shown

function showSeed() {
  if (!parts || !told.seed) return;
  const { total, faults } = told.seed;
  parts.seed.replaceChildren(element("div", { class: "development-seed", "data-good": String(total === 0) },
    element("p", {}, total === 0 ? word("seedGood") : word("seedBad", total)),
    total > 0 && element("ul", {}, faults.map((fault) => element("li", {},
      fault.place && element("code", {}, fault.place), " ", fault[language.current] ?? fault.en))),
    total > faults.length && element("p", {}, word("more", total - faults.length))));
}

function showRules() {
  const rules = told.development?.rules ?? [];
  parts?.rules.replaceChildren(...rules.length === 0 ? [] : [
    element("p", { class: "development-label" }, word("rules")),
    element("ul", {}, rules.map((rule) => element("li", {}, element("code", {}, rule))))]);
}

/** The button says when something is not as it should be. */
function showAlert() {
  const isWrong = (told.seed?.total ?? 0) > 0 || planNow() !== "";
  place.querySelector(".development-button")?.setAttribute("data-alert", String(isWrong));
}

// The panel of `serve --dev`: what is wrong with the seed file, and faults for this browser. Loaded in dev mode alone.
//
// Faults travel in a cookie, so that pictures and everything else that the page loads get them too; nothing is kept on the server.

import { element, icon } from "/app/elements.js";
import { language } from "/app/preferences.js";

const cookie = "banchan-fault";
const presets = [
  "latency=300ms..2s", "latency=lognormal:400ms:0.8", "status=503 rate=0.3", "status=500", "empty", "missing=image",
  "null=price", "truncate=0.5", "drop rate=0.3", "drip=20000", "picture=broken rate=0.5", "picture=stale",
];
const words = {
  ko: {
    title: "개발 모드", seedGood: "seed가 그대로 반영되었습니다.", seedBad: (count) => `seed에 고칠 곳이 ${count}군데 있습니다. 마지막으로 올바른 내용을 보여 드립니다.`,
    faults: "이 브라우저에만 일으킬 장애", apply: "적용", clear: "모두 끄기", none: "지금은 장애가 없습니다.", active: "지금 켜진 장애", close: "닫기",
    rules: "서버 전체에 켜진 장애",
  },
  en: {
    title: "Dev mode", seedGood: "The seed file is taken as it is.", seedBad: (count) => `${count} ${count === 1 ? "fault" : "faults"} in the seed file. The last good catalog is shown.`,
    faults: "Faults for this browser alone", apply: "Apply", clear: "Turn all off", none: "No fault is on.", active: "On now", close: "Close",
    rules: "On for everybody",
  },
};

let panel = null;
let seed = null;
let rules = [];
const isClosed = () => sessionStorage.getItem("development-closed") === "yes";

const word = (name) => (words[language.current] ?? words.en)[name];

/** Takes what the server says of the mode. */
export function develop(event) {
  rules = event.rules;
  if (!document.querySelector("link[href='/app/development.css']")) {
    document.head.append(element("link", { rel: "stylesheet", href: "/app/development.css" }));
  }
  show();
}

/** Takes what the server says of the seed file; faults open the panel. */
export function tellSeed(event) {
  seed = event;
  if (event.total > 0) sessionStorage.removeItem("development-closed");
  show();
}

function planNow() {
  const pair = document.cookie.split("; ").find((pair) => pair.startsWith(`${cookie}=`));
  return pair ? decodeURIComponent(pair.slice(cookie.length + 1)) : "";
}

function choose(plan) {
  const age = plan === "" ? "; Max-Age=0" : "";
  document.cookie = `${cookie}=${encodeURIComponent(plan)}; Path=/; SameSite=Strict${age}`;
  location.reload();
}

function close() {
  sessionStorage.setItem("development-closed", "yes");
  panel?.remove();
  panel = null;
}

function show() {
  if (isClosed()) return;
  if (!panel) {
    panel = element("aside", { class: "development" });
    document.body.append(panel);
  }
  panel.setAttribute("aria-label", word("title"));
  const plan = planNow();
  panel.replaceChildren(...[
    element("div", { class: "development-head" },
      element("h2", {}, word("title")),
      element("button", { type: "button", class: "switch", "aria-label": word("close"), on: { click: close } }, icon("close"))),
    seed && element("div", { role: "status", class: "development-seed", "data-good": seed.total === 0 },
      element("p", {}, seed.total === 0 ? word("seedGood") : word("seedBad")(seed.total)),
      seed.total > 0 && element("ul", {}, seed.faults.map((fault) =>
        element("li", {}, fault.place && element("code", {}, fault.place), " ", fault[language.current] ?? fault.en)))),
    rules.length > 0 && element("p", {}, `${word("rules")}: `, element("code", {}, rules.join(" · "))),
    element("form", { on: { submit: (event) => { event.preventDefault(); choose(new FormData(event.target).get("plan").trim()); } } },
      element("label", {}, word("faults"),
        element("input", { name: "plan", value: plan, list: "development-presets", spellcheck: "false", autocomplete: "off", placeholder: presets[0] })),
      element("datalist", { id: "development-presets" }, presets.map((preset) => element("option", { value: preset }))),
      element("div", { class: "development-buttons" },
        element("button", { class: "button", type: "submit" }, word("apply")),
        element("button", { class: "button", type: "button", disabled: plan === "", on: { click: () => choose("") } }, word("clear")))),
    element("p", { class: "development-now" }, plan === "" ? word("none") : [`${word("active")}: `, element("code", {}, plan)]),
  ].filter(Boolean));
}

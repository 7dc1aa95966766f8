// Faults for this browser: words to put together, and a field in which they can be written.
//
// They travel in a cookie, so that pictures and everything else that a page asks for get them too; the server keeps nothing,
// and leaves the files of these pages alone.

import { developmentWord as word } from "/app/development-words.js";
import { element } from "/app/elements.js";
import { language } from "/app/preferences.js";

const cookie = "banchan-fault";
const groups = {
  late: ["latency=300ms", "latency=200ms..2s", "latency=lognormal:400ms:0.8"],
  errors: ["status=404", "status=429", "status=500", "status=503"],
  content: ["empty", "missing=image", "null=price"],
  body: ["truncate=0.5", "drop", "silence", "drip=20000"],
  pictures: ["picture=broken", "picture=html", "picture=stale"],
  chance: ["rate=0.3", "seed=42"],
};
/** Of these there may be several. */
const isRepeatable = (name) => name === "missing" || name === "null";

/** The faults that are on. */
export function planNow() {
  const pair = document.cookie.split("; ").find((pair) => pair.startsWith(`${cookie}=`));
  return pair ? decodeURIComponent(pair.slice(cookie.length + 1)) : "";
}

/** What it takes to turn them on and off. */
export function faultForm() {
  const plan = planNow();
  const field = element("input", { name: "plan", value: plan, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    placeholder: "latency=300ms rate=0.3", on: { input: mark } });
  const chips = Object.values(groups).flat().map((fault) => element(
    "button", { type: "button", class: "development-chip", "data-fault": fault, "aria-label": fault, on: { click: () => toggle(fault) } },
    fault.replace(/^(latency|status)=/u, "")));
  const note = element("p", { class: "development-now", role: "status" },
    plan === "" ? word("none") : [`${word("active")}: `, element("code", {}, plan)]);

  function mark() {
    const on = parts(field.value);
    for (const chip of chips) chip.setAttribute("aria-pressed", String(on.includes(chip.dataset.fault)));
  }

  function toggle(fault) {
    const [name] = fault.split("=");
    const on = parts(field.value);
    const rest = on.filter((part) => part !== fault && (isRepeatable(name) || part.split("=")[0] !== name));
    field.value = (on.includes(fault) ? rest : [...rest, fault]).join(" ");
    mark();
  }

  async function apply(chosen) {
    const refusal = chosen === "" ? null : await refusalOf(chosen);
    if (refusal) {
      note.replaceChildren(refusal);
      return;
    }
    const age = chosen === "" ? "; Max-Age=0" : "";
    document.cookie = `${cookie}=${encodeURIComponent(chosen)}; Path=/; SameSite=Strict${age}`;
    await forgetPictures();
    location.reload();
  }

  mark();
  return element("form", { class: "development-faults", on: { submit: (event) => { event.preventDefault(); apply(field.value.trim()); } } },
    element("label", {}, element("span", { class: "development-label" }, word("faults")), field),
    Object.entries(groups).map(([name, faults]) => element("div", { class: "development-group", role: "group", "aria-label": word("groups")[name] },
      element("span", { "aria-hidden": "true" }, word("groups")[name]),
      element("div", {}, chips.filter((chip) => faults.includes(chip.dataset.fault))))),
    element("div", { class: "development-buttons" },
      element("button", { class: "button", type: "submit" }, word("apply")),
      element("button", { class: "button quiet", type: "button", disabled: plan === "", on: { click: () => apply("") } }, word("clear"))),
    note);
}

function parts(plan) {
  return plan.split(/[ ;,&]+/u).filter(Boolean);
}

/** What the server has against it; null when it takes it. With `rate=0` it takes it and does nothing. */
async function refusalOf(plan) {
  const harmless = [...parts(plan).filter((part) => !/^rate=[0-9.]+$/u.test(part)), "rate=0"].join(" ");
  try {
    const response = await fetch("/livez", { headers: { "Banchan-Fault": harmless, "Accept-Language": language.current }, cache: "no-store" });
    return response.status === 400 ? (await response.json()).detail : null;
  } catch {
    return word("refused");
  }
}

/** Lets go of the pictures that this browser has kept: faults are seen only in what is asked for. */
async function forgetPictures() {
  await caches?.delete("banchan-pictures-1");
  const shown = [...document.images].map((image) => image.currentSrc).filter((url) => url.includes("/images/"));
  const asked = Promise.allSettled([...new Set(shown)].map((url) => fetch(url, { cache: "reload" })));
  // Faults may make it late.
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 1500))]);
}

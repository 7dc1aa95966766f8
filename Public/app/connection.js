// Asks the shop, and keeps track of whether it can be reached. Answers that the service worker kept say so.

import { element } from "/app/elements.js";
import { word } from "/app/words.js";

/** The shop cannot be reached, and nothing was kept. */
export class Unreachable extends Error {}

/** The shop answered, with a problem or with something unreadable. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.title ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

const waiting = new Set();
let isLost = false;
let probe = null;

/** Calls back once, when the shop can be reached again. */
export function whenBack(listener) {
  waiting.add(listener);
  watch();
}

/** Calls back when it is worth another try: when the shop can be reached again, or, if it can, later each time. */
export function afterTrouble(error, attempt, listener) {
  if (error instanceof Unreachable) whenBack(listener);
  else setTimeout(listener, Math.min(2000 * 2 ** attempt, 60_000));
}

/** The JSON at a path of the native API. */
export async function ask(path) {
  let response;
  try {
    response = await fetch(path);
  } catch {
    lose();
    throw new Unreachable(path);
  }
  const body = await response.json().catch(() => null);
  // What broke off on the way is no answer.
  if (response.ok && body === null) throw new Refused(response.status, null);
  if (response.headers.has("Banchan-Kept")) lose();
  else regain();
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

function lose() {
  if (!isLost) say(word("kept"), { isLasting: true });
  isLost = true;
  watch();
}

function regain() {
  if (!isLost) return;
  isLost = false;
  clearTimeout(probe);
  probe = null;
  say(word("back"));
  const listeners = [...waiting];
  waiting.clear();
  for (const listener of listeners) listener();
}

/** Looks again from time to time, at once when the browser is back on a network. */
function watch(delay = 2000) {
  if (probe !== null) return;
  probe = setTimeout(async () => {
    probe = null;
    const response = await fetch("/livez", { cache: "no-store" }).catch(() => null);
    if (response?.ok) regain();
    else if (isLost || waiting.size > 0) watch(Math.min(delay * 1.5, 30_000));
  }, delay);
}

addEventListener("online", () => {
  if (probe === null) return;
  clearTimeout(probe);
  probe = null;
  watch(0);
});

/** Finds out whether the shop is still there, when something suggests that it is not. */
export async function checkConnection() {
  const response = await fetch("/livez", { cache: "no-store" }).catch(() => null);
  if (response) regain();
  else lose();
}

/** Says something at the foot of the window, where it moves nothing. */
export function say(text, { isLasting = false } = {}) {
  const place = document.getElementById("notices");
  const message = element("p", { class: isLasting ? "toast lasting" : "toast" }, text);
  place.replaceChildren(message);
  if (!isLasting) setTimeout(() => message.remove(), 4000);
}

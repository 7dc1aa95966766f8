// Sends the request that stands in the form, and shows all of the answer.

import { element } from "/app/elements.js";
import { word } from "/docs/words.js";

/** Characters of an answer that are shown. */
const limit = 20_000;

/** The part that sends. `request` gives what to send: a path and headers. */
export function tryIt(request) {
  const button = element("button", { type: "submit", class: "button" }, word("send"));
  const stop = element("button", { type: "button", class: "button quiet", hidden: true }, word("stop"));
  const answer = element("div", { class: "answer", role: "status" });
  let sending = null;

  stop.addEventListener("click", () => sending?.abort());
  const send = async () => {
    sending?.abort();
    const current = new AbortController();
    sending = current;
    stop.hidden = false;
    answer.replaceChildren(element("p", {}, word("sending")));
    try {
      await ask(request(), answer, current.signal);
    } catch (error) {
      if (error.name !== "AbortError") answer.replaceChildren(element("p", {}, word("unreachable")));
    } finally {
      if (sending === current) stop.hidden = true;
    }
  };
  return { send, view: element("div", { class: "try" }, element("div", { class: "try-buttons" }, button, stop), answer) };
}

async function ask({ path, headers }, answer, signal) {
  const began = performance.now();
  const response = await fetch(path, { headers, signal, cache: "no-store" });
  const took = Math.round(performance.now() - began);
  const type = response.headers.get("Content-Type") ?? "";
  const status = element("p", { class: "status", "data-good": String(response.status < 400) },
    element("strong", {}, `${response.status} ${response.statusText}`));
  const fields = [...response.headers].sort().map(([name, value]) => element("div", {},
    element("dt", {}, name), element("dd", {}, value)));
  const head = element("details", {}, element("summary", {}, word("fields", fields.length)), element("dl", { class: "fields" }, fields));
  answer.replaceChildren(status, head);
  if (response.headers.has("Banchan-Kept")) answer.append(element("p", {}, word("keptAnswer")));
  if (type.startsWith("image/")) {
    const bytes = (await response.arrayBuffer()).byteLength;
    status.append(` · ${word("tookTime", took, bytes)}`);
    answer.append(element("img", { src: path, alt: path, class: "answer-picture" }));
    return;
  }
  const shown = element("code", {});
  answer.append(element("pre", { tabindex: "0" }, shown));
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (text.length < limit) text += decoder.decode(value, { stream: true });
    // A stream has no end to wait for.
    if (type.startsWith("text/event-stream")) shown.textContent = text.slice(-limit);
  }
  status.append(` · ${word("tookTime", took, bytes)}`);
  shown.textContent = readable(text, type, bytes);
}

function readable(text, type, bytes) {
  if (bytes > limit) return `${text.slice(0, limit)}\n${word("cut")}`;
  if (!/json/u.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

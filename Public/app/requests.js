// The requests that the server has had, newest first, as it tells of them.

import { developmentWord as word } from "/app/development-words.js";
import { element } from "/app/elements.js";

/** What these pages ask for themselves: of interest to nobody who builds another one. */
const isOwn = (target) => {
  const path = target.split("?")[0];
  return path === "/" || /^\/(app|docs|icons|products|collections|problems|openapi\.json|service-worker\.js|shop\.webmanifest|livez|api\/v1\/events)(\/|$)/u.test(path);
};

/** A list, and what fills it. */
export function requestList() {
  let newest = [];
  const all = element("input", { type: "checkbox", on: { change: fill } });
  const list = element("ol", { class: "development-requests", tabindex: "0", "aria-labelledby": "development-requests" });

  function fill() {
    const shown = newest.filter((request) => all.checked || !isOwn(request.target)).reverse();
    const scrolled = list.scrollTop;
    list.replaceChildren(...shown.length === 0 ? [element("li", {}, word("requestsNone"))] : shown.map(row));
    list.scrollTop = scrolled;
  }

  return {
    root: element("section", { "aria-labelledby": "development-requests" },
      element("div", { class: "development-head" },
        element("h3", { id: "development-requests" }, word("requests")),
        element("label", { class: "development-all" }, all, word("requestsAll"))),
      list),
    show(requests) {
      newest = requests;
      fill();
    },
  };
}

function row({ number, method, target, status, bytes, microseconds, isWhole, fault }) {
  const end = status === null ? word("dropped") : isWhole ? null : word("brokenOff");
  const isBad = end !== null || status >= 400;
  return element("li", { "data-number": number, "data-bad": String(isBad) },
    element("strong", {}, status ?? "–"), " ",
    element("code", {}, `${method} ${target}`),
    element("span", { class: "development-cost" }, [end, size(bytes), time(microseconds)].filter(Boolean).join(" · ")),
    fault && element("em", {}, fault));
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
}

function time(microseconds) {
  return microseconds < 10_000 ? `${(microseconds / 1000).toFixed(1)} ms` : `${Math.round(microseconds / 1000)} ms`;
}

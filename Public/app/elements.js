// Builds the page out of text: nothing that comes from the shop is ever read as HTML.

const svgSpace = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. `on` holds listeners by event; an attribute that is null or false is left out,
 * true stands for an empty value. Strings become text.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A picture out of the page's own set of symbols; decoration only. */
export function icon(name) {
  const svg = document.createElementNS(svgSpace, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svgSpace, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

/** What the shop wrote, marked with its language, so that it is read aloud and broken into lines as Korean. */
export function written(name, attributes, text) {
  const isKorean = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/u.test(text);
  const lang = isKorean ? "ko" : null;
  return element(name, { ...attributes, lang: lang === document.documentElement.lang ? null : lang }, text);
}

/** Text that is heard and not seen. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

// The shop's front: what is featured, the collections, and every section; or what a search finds.

import { element, written } from "/app/elements.js";
import { word } from "/app/words.js";
import { allProducts } from "/app/catalog.js";
import { card, grid, gridSlot } from "/app/cards.js";
import { picture } from "/app/pictures.js";
import { matcher } from "/app/hangul.js";
import { mayMove } from "/app/preferences.js";

/** The front page. */
export function home(shelves) {
  const sections = shelves.sections.filter((section) => section.products.length > 0);
  if (sections.length === 0) return [heading(shelves.shop.name, "h1", "unseen"), element("p", { class: "notice" }, word("empty"))];
  return [
    heading(shelves.shop.name, "h1", "unseen"),
    sectionNames(sections),
    featured(shelves),
    collections(shelves),
    ...sections.map(shelf),
  ];
}

function heading(text, name, className) {
  return written(name, { class: className }, text);
}

/** The products that the shop puts forward itself; in a shop without such, the first ones. */
function featured(shelves) {
  const products = allProducts(shelves).filter((product) => product.status !== "soldOut");
  const chosen = products.filter((product) => product.badges.some((badge) => badge.id === "main"));
  const shown = (chosen.length >= 3 ? chosen : products).slice(0, 5);
  return element(
    "section", { class: "featured", "aria-labelledby": "featured" },
    element("h2", { id: "featured" }, word("featured")),
    element("ul", { class: "featured-row", tabindex: "0", "aria-labelledby": "featured" },
      shown.map((product, index) => element("li", {}, card(product, {
        isFirst: index === 0,
        names: index === 0 ? ["medium", "large"] : undefined,
        slot: index === 0 ? "(max-width: 699px) 54vw, 320px" : "(max-width: 699px) 26vw, 155px",
      })))),
  );
}

function collections(shelves) {
  const shown = shelves.collections.filter((collection) => collection.products.length > 0);
  if (shown.length === 0) return null;
  return element(
    "section", { class: "collections", "aria-labelledby": "collections" },
    element("h2", { id: "collections" }, word("collections")),
    element("ul", { class: "collection-row", tabindex: "0", "aria-labelledby": "collections" },
      shown.map((collection) => element("li", {},
        element("a", { class: "collection", href: `/collections/${encodeURIComponent(collection.id)}` },
          picture(collection.products[0].image, { slot: "88px", names: ["thumb"], alt: "" }),
          written("span", { class: "collection-name" }, collection.name))))),
  );
}

/** Leads to the sections, and marks the one that is being looked at. */
function sectionNames(sections) {
  const links = new Map(sections.map((section) => [section.id, written("a", { href: `#${section.id}` }, section.name)]));
  const list = element("ul", {}, [...links.values()].map((link) => element("li", {}, link)));
  const passing = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = links.get(target.id);
      if (!isIntersecting) {
        link.removeAttribute("aria-current");
        continue;
      }
      link.setAttribute("aria-current", "true");
      // Only the row moves, never the page.
      list.scrollTo({ left: link.offsetLeft - list.clientWidth / 3, behavior: mayMove() ? "smooth" : "instant" });
    }
  }, { rootMargin: "-35% 0px -64% 0px" });
  queueMicrotask(() => sections.forEach((section) => {
    const shelf = document.getElementById(section.id);
    if (shelf) passing.observe(shelf);
  }));
  return element("nav", { class: "section-names", "aria-label": word("sections") }, list);
}

function shelf(section) {
  const name = `section-${section.id}`;
  return element(
    "section", { class: "shelf", id: section.id, "aria-labelledby": name },
    element("div", { class: "shelf-head" },
      written("p", { class: "eyebrow" }, section.name),
      written("h2", { id: name }, section.title),
      element("p", { class: "count" }, word("count", section.products.length))),
    grid(section.products, { slot: gridSlot }),
  );
}

/** One collection. */
export function collectionPage(shelves, id) {
  const collection = shelves.collections.find((collection) => collection.id === id);
  if (!collection) return null;
  return [
    element("div", { class: "shelf-head" },
      written("h1", {}, collection.name),
      element("p", { class: "count" }, word("count", collection.products.length))),
    grid(collection.products, { level: 2, slot: gridSlot, firstCount: 4 }),
  ];
}

/** What a search finds, by title, description, section, badge and way of sending. */
export function results(shelves, typed) {
  const matches = matcher(typed);
  const names = new Map(shelves.sections.map((section) => [section.id, section.name]));
  const found = allProducts(shelves).filter((product) => [
    product.title, product.description, names.get(product.section) ?? "",
    ...product.badges.map((badge) => badge.text), ...product.deliveryTypes.map((type) => type.text),
  ].some(matches));
  // Whoever types a name wants it before the texts that mention it.
  const ranked = [...found.filter((product) => matches(product.title)), ...found.filter((product) => !matches(product.title))];
  return [
    element("div", { class: "shelf-head" },
      element("h1", {}, word("found", typed.trim(), found.length)),
      element("p", { class: "count" }, element("a", { href: "/" }, word("clearSearch")))),
    found.length === 0 ? element("p", { class: "notice" }, word("foundNothing"))
      : grid(ranked, { level: 2, slot: gridSlot, firstCount: 4 }),
  ];
}

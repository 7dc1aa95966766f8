// One product: what lists know of it at once, the rest as it comes.

import { element, icon, written } from "/app/elements.js";
import { label, word } from "/app/words.js";
import { allProducts, forgetDetails, product as details } from "/app/catalog.js";
import { badges, grid, gridSlot, price } from "/app/cards.js";
import { picture } from "/app/pictures.js";
import { Refused, afterTrouble } from "/app/connection.js";
import { mayMove } from "/app/preferences.js";

/** The page of a product; null when there is none of this id. */
export function productPage(shelves, id) {
  const summary = allProducts(shelves).find((product) => product.id === id);
  if (!summary) return null;
  const section = shelves.sections.find((section) => section.id === summary.section);
  const gallery = element("div", { class: "gallery" }, strip([summary.image]), element("ul", { class: "thumbs" }));
  const facts = element("div", { class: "facts" });
  const rest = element("div", { class: "rest" });
  fill(id, { gallery, facts, rest, section, summary });
  return [
    element("nav", { class: "trail", "aria-label": word("sections") },
      element("a", { href: "/" }, icon("back"), word("home")),
      written("a", { href: `/#${section.id}` }, section.name)),
    element("article", { class: "product" },
      gallery,
      element("div", { class: "product-text" },
        badges(summary),
        written("h1", {}, summary.title),
        written("p", { class: "lead" }, summary.description),
        price(summary),
        summary.status === "soldOut" && element("p", { class: "sold-out-note" },
          element("strong", {}, word("soldOut")), " ", word("soldOutNote")),
        summary.stock !== null && summary.stock > 0 && element("p", { class: "stock" }, word("stockLeft", summary.stock)),
        facts)),
    rest,
  ];
}

async function fill(id, places, attempt = 0) {
  try {
    const product = await details(id);
    const facts = factList(product);
    const rest = [notices(product), longPictures(product), related(places.section, product)].filter(Boolean);
    showGallery(places.gallery, product.images);
    places.facts.replaceChildren(facts);
    places.rest.replaceChildren(...rest);
  } catch (error) {
    if (error instanceof Refused && error.status >= 400 && error.status < 500) return;
    forgetDetails();
    places.facts.replaceChildren(element("p", { class: "notice" }, word("restLater")));
    afterTrouble(error, attempt, () => { if (places.facts.isConnected) fill(id, places, attempt + 1); });
  }
}

// MARK: Gallery

/** Pictures side by side, to be swiped, scrolled or walked through with the arrow keys. */
function strip(images) {
  return element("ul", { class: "strip", tabindex: "0", "aria-label": word("gallery") },
    images.map((image, index) => element("li", {}, picture(image, {
      names: ["medium", "large"], slot: "(max-width: 899px) 54vw, 560px", isFirst: index === 0,
    }))));
}

function showGallery(gallery, images) {
  const [shown, thumbs] = gallery.children;
  // The first picture is on the screen already, and stays where it is.
  for (const more of [...strip(images).children].slice(1)) shown.append(more);
  if (images.length < 2) return;
  const go = (index) => {
    const place = Math.max(0, Math.min(index, images.length - 1));
    shown.scrollTo({ left: shown.clientWidth * place, behavior: mayMove() ? "smooth" : "instant" });
  };
  const buttons = images.map((image, index) => element(
    "button", { type: "button", "aria-label": word("photo", index + 1, images.length), on: { click: () => go(index) } },
    picture(image, { names: ["thumb"], slot: "72px", alt: "" })));
  const position = () => Math.round(shown.scrollLeft / Math.max(1, shown.clientWidth));
  const mark = () => buttons.forEach((button, index) =>
    button.setAttribute("aria-current", index === position() ? "true" : "false"));
  shown.addEventListener("scroll", mark, { passive: true });
  shown.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    go(position() + step);
  });
  thumbs.replaceChildren(...buttons.map((button) => element("li", {}, button)));
  mark();
}

// MARK: What there is to know

function factList(product) {
  const rows = [
    [word("points"), element("dd", {}, word("pointsValue", product.points))],
    [word("deliveryTypes"), element("dd", {}, product.deliveryTypes.map(label).join(" · "))],
    [word("delivery"), written("dd", {}, product.delivery.info)],
    [word("fee"), written("dd", {}, product.delivery.fee)],
  ];
  return element("dl", { class: "fact-list" },
    rows.map(([name, value]) => element("div", {}, element("dt", {}, name), value)));
}

function notices(product) {
  if (product.notices.length === 0) return null;
  return element("section", { class: "notices", "aria-labelledby": "notices-title" },
    element("h2", { id: "notices-title" }, word("notices")),
    element("dl", { class: "fact-list" }, product.notices.map((notice) => element("div", {},
      written("dt", {}, notice.label), written("dd", {}, notice.value)))));
}

function longPictures(product) {
  if (product.details.length === 0) return null;
  return element("section", { class: "long", "aria-labelledby": "long-title" },
    element("h2", { id: "long-title" }, word("details")),
    product.details.map((image) => picture(image, {
      names: ["medium", "large"], slot: "(max-width: 760px) 100vw, 760px", isNatural: true,
    })));
}

function related(section, product) {
  const others = section.products.filter((other) => other.id !== product.id).slice(0, 4);
  if (others.length === 0) return null;
  return element("section", { class: "shelf", "aria-labelledby": "related-title" },
    element("h2", { id: "related-title" }, word("related", section.name)),
    grid(others, { slot: gridSlot }));
}

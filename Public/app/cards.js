// A product as lists show it.

import { element, unseen, written } from "/app/elements.js";
import { label, money, word } from "/app/words.js";
import { picture } from "/app/pictures.js";

/** Where a product's page is. */
export function addressOf(product) {
  return `/products/${encodeURIComponent(product.id)}`;
}

/** What it costs: percent off, price, and the list price struck out. */
export function price(product) {
  const { discountPercent, listPrice } = product;
  return element(
    "p", { class: "price" },
    discountPercent !== null && element("strong", { class: "off" },
      element("span", { "aria-hidden": "true" }, `${discountPercent}%`), unseen(word("discount", discountPercent))),
    element("strong", { class: "now" }, unseen(`${word("price")} `), money(product.price)),
    listPrice !== null && element("s", { class: "before" }, unseen(`${word("listPrice")} `), money(listPrice)),
  );
}

/** A product's badges. */
export function badges(product) {
  if (product.badges.length === 0) return null;
  return element("ul", { class: "badges" },
    product.badges.map((badge) => element("li", { class: "badge", "data-badge": badge.id }, label(badge))));
}

/**
 * A card that leads to the product.
 * - level: the heading's.
 * - slot: how wide its picture is shown.
 */
export function card(product, { level = 3, slot, isFirst = false, names } = {}) {
  const isSoldOut = product.status === "soldOut";
  return element(
    "article", { class: isSoldOut ? "card sold-out" : "card" },
    element("div", { class: "card-picture" },
      picture(product.image, { slot, isFirst, names, alt: "" }),
      isSoldOut && element("span", { class: "sold-out-mark" }, word("soldOut"))),
    element("div", { class: "card-text" },
      element(`h${level}`, { class: "card-title" },
        written("a", { href: addressOf(product), "data-product": product.id }, product.title)),
      written("p", { class: "card-description" }, product.description),
      price(product),
      badges(product)),
  );
}

/** Cards in a grid. */
export function grid(products, options = {}) {
  return element("ul", { class: "grid" },
    products.map((product, index) =>
      element("li", {}, card(product, { ...options, isFirst: index < (options.firstCount ?? 0) }))));
}

/**
 * How wide a grid's cards are taken to be. On phones that is less than they are: at three pixels to a point, the small size
 * is nearly as sharp to the eye as the next, which weighs three times as much.
 */
export const gridSlot = "(max-width: 699px) 26vw, (max-width: 1023px) 30vw, 280px";

// The shop's shelves, as the last answer had them.

import { ask } from "/app/connection.js";

let current = null;
const details = new Map();

/** The catalog: everything that lists show. Asked for once; `fresh` asks again. */
export async function catalog({ fresh = false } = {}) {
  if (current === null || fresh) {
    const before = current;
    current = ask("/api/v1/catalog");
    // What failed is asked for again, and what was there before stays.
    current.catch(() => { current = before; });
  }
  return current;
}

/** Everything about one product. */
export async function product(id) {
  if (!details.has(id)) {
    const asked = ask(`/api/v1/products/${encodeURIComponent(id)}`).then((answer) => answer.product);
    details.set(id, asked);
    asked.catch(() => details.delete(id));
  }
  return details.get(id);
}

/** Lets go of what was kept, because the catalog has changed. */
export function forgetDetails() {
  details.clear();
}

/** All products of a catalog, in the shop's order. */
export function allProducts(shelves) {
  return shelves.sections.flatMap((section) => section.products);
}

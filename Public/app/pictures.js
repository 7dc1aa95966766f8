// Pictures that never move the page: a frame of fixed shape has the picture's colour first, then its ThumbHash, then the
// picture itself in the size that fits, once it comes near the screen.

import { element } from "/app/elements.js";
import { paintThumbHash } from "/app/thumbhash.js";
import { word } from "/app/words.js";
import { whenBack } from "/app/connection.js";

/** Widths of the sizes, in pixels; none is larger than its original. */
const sizes = { thumb: 320, medium: 640, large: 1280 };

/** Pictures that have not begun to load, each with what begins it. */
const starts = new Map();

/** Pictures begin to load this close to the screen. Browsers by themselves fetch some ten screens ahead. */
// What lies beside the first picture of a gallery touches the screen, and is not on it.
let nearby = watch("40px", "-2px");
// Whoever scrolls will want what comes next.
addEventListener("scroll", () => {
  nearby.disconnect();
  nearby = watch("500px", "300px");
  for (const frame of starts.keys()) nearby.observe(frame);
}, { once: true, passive: true });

function watch(rootMargin, scrollMargin) {
  return new IntersectionObserver((entries, observer) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) {
        // A page that was left takes its frames with it.
        if (!target.isConnected) starts.delete(target);
        continue;
      }
      observer.unobserve(target);
      starts.get(target)?.();
      starts.delete(target);
    }
  }, { rootMargin, scrollMargin });
}

/** The part of an address that is the same under whatever host the shop names: pages load pictures from their own. */
export function pathOf(url) {
  return new URL(url, location.href).pathname;
}

/**
 * A picture in its frame.
 * - names: the sizes to choose from.
 * - slot: how wide it is shown, as the attribute `sizes` says it.
 * - isFirst: whether it is on the first screen, and is fetched at once.
 * - isNatural: whether the frame has the picture's own shape, not the frame's.
 */
export function picture(image, { names = ["thumb", "medium"], slot, isFirst = false, isNatural = false, alt = image.alt }) {
  const frame = element("div", { class: isNatural ? "picture natural" : "picture" });
  if (image.color) frame.style.backgroundColor = image.color;
  const shown = element("img", { alt, decoding: "async", fetchpriority: isFirst ? "high" : null });
  if (isNatural && image.width && image.height) {
    shown.width = image.width;
    shown.height = image.height;
  }
  shown.addEventListener("load", () => frame.classList.add("loaded"));
  shown.addEventListener("error", () => fail(frame, shown));

  const start = () => {
    if (image.placeholder) paint(frame, image.placeholder);
    frame.append(shown);
    load(shown, image, names, slot);
  };
  if (isFirst) {
    start();
  } else {
    starts.set(frame, start);
    nearby.observe(frame);
  }
  return frame;
}

function load(shown, image, names, slot) {
  shown.sizes = slot;
  shown.srcset = names
    .map((name) => `${pathOf(image.urls[name])} ${Math.min(image.width ?? Infinity, sizes[name])}w`)
    .join(", ");
  shown.src = pathOf(image.urls[names[0]]);
}

function paint(frame, placeholder) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  try {
    const painted = paintThumbHash(canvas, placeholder);
    if (!painted) return;
    frame.append(canvas);
    // What is transparent is white in the sizes that are shown here.
    if (painted.hasAlpha) frame.style.backgroundColor = "#fff";
  } catch {
    // A preview that cannot be read is no reason to show nothing: the colour is there.
  }
}

/** Says so in the frame, and tries again when the shop is back. */
function fail(frame, shown) {
  if (frame.classList.contains("failed") || !shown.getAttribute("src")) return;
  frame.classList.add("failed");
  const note = element("span", { class: "picture-note" }, word("pictureFailed"));
  frame.append(note);
  const { src, srcset } = shown;
  whenBack(() => {
    note.remove();
    frame.classList.remove("failed");
    shown.srcset = "";
    shown.src = "";
    shown.srcset = srcset;
    shown.src = src;
  });
}

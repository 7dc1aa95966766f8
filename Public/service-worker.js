// Keeps the shop open when it cannot be reached: its pages, the catalog, and the pictures that were seen.
//
// Pages and answers come from the shop whenever it answers in time, so nobody sees old prices; a picture whose name stands
// for its bytes for ever is not asked for twice.

const pages = "banchan-pages-1";
const answers = "banchan-answers-1";
const pictures = "banchan-pictures-1";

/** Everything that the pages are made of. A test compares it with what there is. */
const files = [
  "/", "/docs", "/openapi.json", "/shop.webmanifest", "/app/base.css", "/app/cards.js", "/app/catalog.js",
  "/app/connection.js", "/app/development-words.js", "/app/development.css", "/app/development.js", "/app/early.js",
  "/app/elements.js", "/app/faults.js", "/app/frame.js", "/app/hangul.js", "/app/home.js", "/app/keeping.js",
  "/app/main.js", "/app/panel.js", "/app/pictures.js", "/app/preferences.js", "/app/product.js", "/app/requests.js",
  "/app/shop.css", "/app/thumbhash.js", "/app/words.js", "/docs/docs.css", "/docs/docs.js", "/docs/reference.js",
  "/docs/schema.js", "/docs/snippets.js", "/docs/surfaces.js", "/docs/try.js", "/docs/words.js",
  "/icons/bowl-180.png", "/icons/bowl-512.png", "/icons/bowl.svg",
];

/** Milliseconds that the shop has to answer when there is something kept. */
const patience = 4000;
/** Pictures and answers kept, the oldest going first. */
const pictureLimit = 400;
const answerLimit = 400;

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(pages);
    // One by one: a file that fails costs that file, not the shop.
    await Promise.allSettled(files.map((file) => cache.add(file)));
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const known = [pages, answers, pictures];
    for (const name of await caches.keys()) if (!known.includes(name)) await caches.delete(name);
    await clients.claim();
  })());
});

addEventListener("message", (event) => {
  const keep = event.data?.keep;
  if (Array.isArray(keep)) event.waitUntil(keepAll(keep));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || request.headers.has("Range")) return;
  if (url.pathname.startsWith("/images/")) event.respondWith(picture(request));
  else if (isAnswer(url.pathname)) event.respondWith(fromShop(request, answers));
  else if (request.mode === "navigate" && isPage(url.pathname)) event.respondWith(page(request, url));
  else if (files.includes(url.pathname)) event.respondWith(fromShop(request, pages));
});

// MARK: Pictures

async function picture(request) {
  const cache = await caches.open(pictures);
  const kept = await cache.match(request.url, { ignoreVary: true });
  if (kept && isForEver(kept)) return marked(kept, { "Server-Timing": "cache;desc=kept" });
  try {
    const response = await fetch(request);
    if (mayKeep(response)) keep(cache, request.url, response.clone(), pictureLimit);
    return response;
  } catch (error) {
    if (kept) return marked(kept, { "Server-Timing": "cache;desc=kept" });
    throw error;
  }
}

/** Whether an answer is for keeping: it is one, and nobody has said no. Faults of dev mode say so, for one. */
function mayKeep(response) {
  return response.status === 200 && !response.headers.get("Cache-Control")?.includes("no-store");
}

function isForEver(response) {
  return response.headers.get("Cache-Control")?.includes("immutable") ?? false;
}

// MARK: Pages and answers

/** The shop's answer, or the last one it gave to this request. */
async function fromShop(request, name, key = request.url) {
  const cache = await caches.open(name);
  const kept = await cache.match(key, { ignoreVary: true });
  const asked = fetch(request).then((response) => {
    if (mayKeep(response)) keep(cache, key, response.clone(), answerLimit);
    return response;
  });
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  const answer = await Promise.race([asked.catch(() => undefined), late]);
  return answer ?? marked(kept, { "Banchan-Kept": "yes" });
}

/** Whether it is an answer of the API that has an end. */
function isAnswer(path) {
  return path.startsWith("/api/v1/") && path !== "/api/v1/events";
}

/** Whether people read what is there. How the server is, it has to say itself. */
function isPage(path) {
  return files.includes(path.replace(/(.)\/$/u, "$1")) || /^\/(products|collections|problems)\/[^/]+$/u.test(path);
}

/** A page to go to. Products and collections are shown by the front page. */
async function page(request, url) {
  const path = url.pathname.replace(/(.)\/$/u, "$1");
  const key = /^\/(products|collections)\/[^/]+$/u.test(path) ? "/" : path;
  try {
    return await fromShop(request, pages, new URL(key, location.origin).href);
  } catch {
    const cache = await caches.open(pages);
    return await cache.match(key.startsWith("/problems/") ? "/docs" : "/", { ignoreVary: true }) ?? Response.error();
  }
}

// MARK: Keeping

async function keepAll(paths) {
  for (const path of paths.slice(0, pictureLimit)) {
    const url = new URL(path, location.origin);
    const isPicture = url.pathname.startsWith("/images/");
    if (url.origin !== location.origin || !(isPicture || isAnswer(url.pathname))) continue;
    const cache = await caches.open(isPicture ? pictures : answers);
    if (await cache.match(url.href, { ignoreVary: true })) continue;
    // The browser has it from a moment ago.
    const response = await fetch(url.href, { cache: "force-cache" }).catch(() => null);
    if (response && mayKeep(response)) await keep(cache, url.href, response, isPicture ? pictureLimit : answerLimit);
  }
}

async function keep(cache, key, response, limit) {
  try {
    await cache.put(key, response);
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old, { ignoreVary: true });
  } catch {
    // No room: the shop is shown all the same.
  }
}

/** The same answer with more fields. */
function marked(response, fields) {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

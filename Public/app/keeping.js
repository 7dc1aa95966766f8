// Starts the service worker, which keeps the pages and what they have shown for when the shop cannot be reached.

const address = "/service-worker.js";

/** Registers it, and tells it what this page loads: what came before it, it has not seen. */
export async function keepForLater() {
  if (!("serviceWorker" in navigator)) return;
  // The page's policy takes no text for a script but this one.
  const policy = globalThis.trustedTypes?.createPolicy("banchan", { createScriptURL: (url) => {
    if (url !== address) throw new TypeError(`${url} is not the shop's service worker`);
    return url;
  } });
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address);
    const { active } = await navigator.serviceWorker.ready;
    // What comes later, it sees itself; but nobody knows from when on.
    new PerformanceObserver((list) => {
      const loaded = list.getEntries().map((entry) => new URL(entry.name));
      const kept = loaded.filter((url) => url.origin === location.origin && /^\/(images|api)\//u.test(url.pathname));
      if (kept.length > 0) active.postMessage({ keep: kept.map((url) => url.pathname + url.search) });
    }).observe({ type: "resource", buffered: true });
  } catch (error) {
    // Private windows have none, and pages over plain HTTP from another machine.
    console.info("The shop will need a connection:", error.message);
  }
}

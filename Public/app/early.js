// Runs before anything is painted, so that a page never flashes in the other theme or language. What is chosen here is
// changed by preferences.js.
(() => {
  const root = document.documentElement;
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("banchan.preferences")) ?? {};
  } catch {
    // Storage may be forbidden, or hold something else.
  }
  if (chosen.theme === "light" || chosen.theme === "dark") root.dataset.theme = chosen.theme;
  const known = [chosen.language, ...navigator.languages].map((tag) => String(tag).slice(0, 2).toLowerCase());
  root.lang = known.find((tag) => tag === "ko" || tag === "en") ?? "en";
})();

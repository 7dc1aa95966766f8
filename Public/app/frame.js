// What all pages have around their content: texts in the language of choice, and the switches for language and theme.

import { icon } from "/app/elements.js";
import { language, theme } from "/app/preferences.js";
import { word } from "/app/words.js";

/** Puts a page's fixed texts in place; `find` gives the text of a key. */
export function fillFrame(find = word) {
  for (const place of document.querySelectorAll("[data-word]")) place.textContent = find(place.dataset.word);
  for (const place of document.querySelectorAll("[data-word-placeholder]")) {
    place.placeholder = find(place.dataset.wordPlaceholder);
  }
  for (const place of document.querySelectorAll("[data-word-label]")) {
    place.setAttribute("aria-label", find(place.dataset.wordLabel));
  }
}

/** Makes the switches work. `onLanguage` shows the page anew; `more` holds what other switches do, by name. */
export function startSwitches({ onLanguage, more = {} }) {
  const switches = {
    language: () => {
      language.choose(language.other);
      onLanguage();
    },
    theme: () => theme.choose(theme.isDark ? "light" : "dark"),
    ...more,
  };
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.("[data-switch]")?.dataset.switch;
    if (!name) return;
    switches[name]();
    nameSwitches();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameSwitches);
  nameSwitches();
}

function nameSwitches() {
  const [languageSwitch, themeSwitch] = ["language", "theme"].map((name) => document.querySelector(`[data-switch=${name}]`));
  languageSwitch.textContent = word("toLanguage");
  languageSwitch.lang = language.other;
  themeSwitch.replaceChildren(icon(theme.isDark ? "sun" : "moon"));
  themeSwitch.setAttribute("aria-label", word(theme.isDark ? "toLight" : "toDark"));
}

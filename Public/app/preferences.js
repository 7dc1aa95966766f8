// Language and theme: chosen once, kept in this browser, by default the browser's own.

const root = document.documentElement;
const key = "banchan.preferences";

function read() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

/** Remembers a choice; where nothing can be stored it holds until the page is left. */
function remember(change) {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(), ...change }));
  } catch {
    // Private windows may refuse.
  }
}

export const language = {
  get current() {
    return root.lang === "ko" ? "ko" : "en";
  },
  get other() {
    return this.current === "ko" ? "en" : "ko";
  },
  choose(tag) {
    root.lang = tag;
    remember({ language: tag });
  },
};

export const theme = {
  get isDark() {
    const chosen = root.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  choose(name) {
    root.dataset.theme = name;
    remember({ theme: name });
  },
};

export const panelChoice = {
  get isOpen() {
    return read().panel === true;
  },
  set isOpen(isOpen) {
    remember({ panel: isOpen });
  },
};

/** Whether movement is welcome. */
export function mayMove() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

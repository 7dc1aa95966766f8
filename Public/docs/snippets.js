// The same request in three languages, to be copied.

import { element } from "/app/elements.js";
import { word } from "/docs/words.js";

const makers = {
  curl: ({ url, headers }) => ["curl -s", ...headers.map(([name, value]) => `-H '${name}: ${value.replaceAll("'", "'\\''")}'`), `'${url}'`].join(" "),
  fetch: ({ url, headers, isJSON }) => [
    `const response = await fetch(${JSON.stringify(url)}${headers.length ? `, {\n  headers: ${JSON.stringify(Object.fromEntries(headers))},\n}` : ""});`,
    "if (!response.ok) throw new Error((await response.json()).detail);",
    isJSON ? "const answer = await response.json();" : "const bytes = await response.blob();",
  ].join("\n"),
  Swift: ({ url, headers, isJSON, typeName }) => [
    `var request = URLRequest(url: URL(string: ${JSON.stringify(url)})!)`,
    ...headers.map(([name, value]) => `request.setValue(${JSON.stringify(value)}, forHTTPHeaderField: ${JSON.stringify(name)})`),
    "let (data, response) = try await URLSession.shared.data(for: request)",
    "guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }",
    isJSON ? `let answer = try JSONDecoder().decode(${typeName}.self, from: data)` : "let image = UIImage(data: data)",
  ].join("\n"),
};

let chosen = "curl";

/** The snippets of a request, one of them shown. `request` is called anew whenever something about it changes. */
export function snippets(request) {
  const code = element("code", {});
  const show = () => { code.textContent = makers[chosen](request()); };
  const buttons = Object.keys(makers).map((name) => element("button", {
    type: "button", class: "tab", "data-snippet": name, on: { click: () => choose(name) },
  }, name));
  const view = element("div", { class: "snippets", role: "group", "aria-label": word("snippets") },
    element("div", { class: "tabs" }, buttons, copyButton(() => code.textContent)),
    element("pre", { tabindex: "0" }, code));
  view.addEventListener("snippets", show);
  view.refresh = show;
  show();
  mark(view);
  return view;
}

/** One choice for the whole page: nobody reads two languages at once. */
function choose(name) {
  chosen = name;
  for (const view of document.querySelectorAll(".snippets")) {
    view.dispatchEvent(new Event("snippets"));
    mark(view);
  }
}

function mark(view) {
  for (const button of view.querySelectorAll("[data-snippet]")) {
    button.setAttribute("aria-pressed", String(button.dataset.snippet === chosen));
  }
}

/** Copies what `text` gives. */
export function copyButton(text) {
  const button = element("button", { type: "button", class: "tab copy" }, word("copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = word("copied");
      setTimeout(() => { button.textContent = word("copy"); }, 1500);
    } catch {
      // Without leave to write, the text can still be selected.
    }
  });
  return button;
}

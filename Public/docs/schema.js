// Shows the form of an answer: every key with its type and meaning, nested ones to be opened.

import { element } from "/app/elements.js";
import { told } from "/docs/words.js";

/** Follows a reference into the document. */
export function resolve(api, part) {
  if (!part?.$ref) return part;
  const found = part.$ref.slice(2).split("/").reduce((place, key) => place?.[key], api);
  // What stands beside a reference says more about it.
  const { $ref, ...more } = part;
  return { name: part.$ref.split("/").at(-1), ...resolve(api, found), ...more };
}

/** The type in words: `array of Summary`, `string or null`. */
function typeName(api, part) {
  const schema = resolve(api, part) ?? {};
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((alternative) => typeName(api, alternative)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.type === "array") return `[${typeName(api, schema.items)}]`;
  if (schema.type === "object") return schema.name ?? "object";
  if (schema.enum) return schema.enum.length > 6 ? schema.type ?? "string" : schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  return [schema.type ?? "any"].flat().join(" | ");
}

/** The object that is found inside of lists and alternatives. */
function inner(api, part) {
  const schema = resolve(api, part) ?? {};
  if (schema.type === "array") return inner(api, schema.items);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((alternative) => inner(api, alternative)).find(Boolean) ?? null;
  return schema.properties ? schema : null;
}

/** A schema as a list of keys. */
export function schemaView(api, part) {
  const schema = inner(api, part);
  const head = element("p", { class: "schema-type" }, element("code", {}, typeName(api, part)));
  return schema ? element("div", { class: "schema" }, head, keyList(api, schema)) : element("div", { class: "schema" }, head);
}

function keyList(api, schema) {
  const required = new Set(schema.required ?? []);
  return element("ul", { class: "keys" }, Object.entries(schema.properties).map(([key, part]) => {
    const nested = inner(api, part);
    const described = resolve(api, part);
    const line = [
      element("code", { class: "key" }, required.has(key) ? key : `${key}?`), " ",
      element("code", { class: "type" }, typeName(api, part)), " ",
      described.description && element("span", {}, told(described, "description")),
    ];
    if (!nested) return element("li", {}, line);
    // Made when it is opened: forms nest deeply.
    const more = element("details", {}, element("summary", {}, line));
    more.addEventListener("toggle", () => { if (more.children.length === 1) more.append(keyList(api, nested)); });
    return element("li", {}, more);
  }));
}

// One operation of the API: what it takes, what it answers, the request in code, and the request sent.

import { element } from "/app/elements.js";
import { resolve, schemaView } from "/docs/schema.js";
import { snippets } from "/docs/snippets.js";
import { tryIt } from "/docs/try.js";
import { told, word } from "/docs/words.js";

/** All operations of the document, in its order. */
export function operations(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })));
}

/** One operation. */
export function operationView(api, { path, method, operation }) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(api, parameter));
  const id = operation.operationId;
  const inputs = new Map(parameters.map((parameter) => [parameter, element("input", {
    id: `${id}-${parameter.name}`, name: parameter.name, autocomplete: "off", spellcheck: "false",
    required: parameter.required ?? false, value: parameter.required ? parameter.example ?? "" : null,
    placeholder: parameter.required ? null : word("optional"),
  })]));
  const request = () => written(path, inputs);
  const code = snippets(() => ({
    ...inCode(request()), isJSON: jsonOf(operation.responses?.["200"], api) !== null, typeName: typeOf(operation),
  }));
  const { send, view } = tryIt(request);
  const form = element("form", {
    class: "request",
    on: {
      submit: (event) => { event.preventDefault(); send(); },
      input: () => code.refresh(),
    },
  },
  parameters.length > 0 && element("h4", {}, word("parameters")),
  parameters.map((parameter) => element("div", { class: "parameter" },
    element("label", { for: `${id}-${parameter.name}` },
      element("code", {}, parameter.name), " ", element("span", { class: "where" }, word("where")[parameter.in])),
    inputs.get(parameter),
    element("p", {}, told(parameter, "description")))),
  code, view);

  return element("article", { class: "operation", id, "aria-labelledby": `${id}-title` },
    element("h3", { id: `${id}-title` }, told(operation, "summary")),
    element("p", { class: "path" }, element("b", {}, method.toUpperCase()), " ", pathView(path)),
    element("p", {}, told(operation, "description")),
    form,
    element("h4", {}, word("answers")),
    element("div", { class: "answers" }, Object.entries(operation.responses).map(([status, response]) =>
      answerView(api, status, resolve(api, response)))));
}

/** A path with places to break at. */
export function pathView(path) {
  return element("code", {}, path.split("/").flatMap((part, index) => (index === 0 ? [part] : [element("wbr"), `/${part}`])));
}

/** The request that the inputs describe. */
function written(path, inputs) {
  let target = path;
  const query = new URLSearchParams();
  const headers = [];
  for (const [parameter, input] of inputs) {
    const value = input.value.trim();
    if (parameter.in === "path") target = target.replace(`{${parameter.name}}`, encodeURIComponent(value || parameter.example));
    else if (value === "") continue;
    else if (parameter.in === "query") query.append(parameter.name, value);
    else headers.push([parameter.name, value]);
  }
  return { path: query.size > 0 ? `${target}?${query}` : target, headers };
}

function inCode({ path, headers }) {
  return { url: location.origin + path, headers };
}

function typeOf(operation) {
  const schema = operation.responses?.["200"]?.content?.["application/json"]?.schema;
  if (schema?.$ref) return schema.$ref.split("/").at(-1);
  if (schema?.items?.$ref) return `[${schema.items.$ref.split("/").at(-1)}]`;
  return "Answer";
}

function jsonOf(response, api) {
  const content = resolve(api, response)?.content ?? {};
  return content["application/json"] ?? content["application/problem+json"] ?? null;
}

function answerView(api, status, response) {
  const line = [
    element("code", { class: "status-code", "data-good": String(/^[23]/u.test(status)) }, status === "default" ? word("otherwise") : status),
    element("span", {}, told(response, "description")),
  ];
  const json = jsonOf(response, api);
  const example = json?.example ?? Object.values(response.content ?? {})[0]?.example;
  if (!json && example === undefined) return element("div", { class: "answer-line answer-head" }, line);
  const more = element("details", { class: "answer-line" }, element("summary", { class: "answer-head" }, line));
  more.addEventListener("toggle", () => {
    if (more.children.length > 1) return;
    if (json?.schema) more.append(element("h5", {}, word("schema")), schemaView(api, json.schema));
    if (example !== undefined) {
      const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
      more.append(element("h5", {}, word("example")), element("pre", { tabindex: "0" }, element("code", {}, text)));
    }
  });
  return more;
}

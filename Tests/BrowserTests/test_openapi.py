"""openapi.json beside what the server answers: as a document, and under requests that nobody would write."""

import json
import subprocess
import sys
import urllib.request

import jsonschema
import pytest
from openapi_spec_validator import validate

from shop import CHECKOUT

API = json.loads((CHECKOUT / "Public/openapi.json").read_text())
OPERATIONS = [(path, method, operation) for path, item in API["paths"].items() for method, operation in item.items()]


def resolved(part):
    while "$ref" in part:
        found = API
        for key in part["$ref"].removeprefix("#/").split("/"):
            found = found[key]
        part = found
    return part


def check(schema, value):
    """Checks a value, and that it has no key that the document does not tell of."""
    root = {**schema, "components": API["components"]}
    jsonschema.Draft202012Validator(root, format_checker=jsonschema.FormatChecker()).validate(value)
    check_keys(schema, value, "")


def check_keys(schema, value, place):
    schema = resolved(schema)
    for choice in schema.get("anyOf", []):
        if resolved(choice).get("type") != "null" and value is not None:
            check_keys(choice, value, place)
    if isinstance(value, dict) and "properties" in schema:
        order = [key for key in schema["properties"] if key in value]
        assert list(value) == order, f"the keys of {place or 'the answer'}"
        for key, inner in value.items():
            check_keys(schema["properties"][key], inner, f"{place}/{key}")
    if isinstance(value, list) and "items" in schema:
        for index, inner in enumerate(value):
            check_keys(schema["items"], inner, f"{place}/{index}")


def test_valid():
    """The document is valid OpenAPI 3.1."""
    validate(API)


def test_korean():
    """Every operation, parameter and tag is told of in Korean, too."""
    parts = [operation for _, _, operation in OPERATIONS] + API["tags"] + list(API["components"]["parameters"].values())
    for part in parts:
        for key in ("summary", "description"):
            assert (key in part) == (key in part["x-ko"]), part.get("operationId") or part["name"]


def untold(part, place=""):
    """Where something is described in English alone."""
    if isinstance(part, list):
        return [found for index, inner in enumerate(part) for found in untold(inner, f"{place}/{index}")]
    if not isinstance(part, dict):
        return []
    own = [place] if isinstance(part.get("description"), str) and "description" not in part.get("x-ko", {}) else []
    return own + [found for key, inner in part.items() if key not in ("x-ko", "example") for found in untold(inner, f"{place}/{key}")]


def test_korean_forms():
    """Every answer, field, form and key is described in Korean, too."""
    assert untold(API["paths"]) == [] and untold(API["components"]) == []


@pytest.mark.parametrize("path, method, operation", OPERATIONS, ids=[operation["operationId"] for _, _, operation in OPERATIONS])
def test_examples(path, method, operation):
    """Every example has the form that the document gives for it, and every JSON answer has one."""
    for status, response in operation["responses"].items():
        for type, content in resolved(response).get("content", {}).items():
            if "json" in type and content["schema"] != {"type": "object"} and status != "default":
                check(content["schema"], content["example"])


@pytest.mark.parametrize("path, method, operation", OPERATIONS, ids=[operation["operationId"] for _, _, operation in OPERATIONS])
def test_answers(shop, path, method, operation):
    """The demo shop's answer has the form that the document gives, key by key and in order."""
    if operation["operationId"] == "listenToEvents":
        pytest.skip("a stream has no end")
    for parameter in map(resolved, operation.get("parameters", [])):
        path = path.replace("{%s}" % parameter["name"], str(parameter.get("example", "")))
    with urllib.request.urlopen(shop.url + path) as answer:
        type = answer.headers["Content-Type"].split(";")[0]
        content = operation["responses"]["200"]["content"]
        assert type in content
        for name in operation["responses"]["200"].get("headers", {}):
            assert answer.headers[name] is not None or name in ("Link",), name
        if type == "application/json":
            check(content[type]["schema"], json.load(answer))


def test_schemathesis(shop, tmp_path):
    """No request that schemathesis makes of the document gets an answer that it does not tell of."""
    result = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", CHECKOUT / "Tests/BrowserTests/schemathesis.toml", "run",
         shop.url + "/openapi.json", "--exclude-path", "/api/v1/events", "--max-examples", "25", "--seed", "1", "--no-color"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]

#!/usr/bin/env python3
"""Judges the JSON Schemas of a folder and documents by them.

    schemas.py check FOLDER              prints "file: what is wrong" for the schemas, examples, asyncapi.yaml, openapi.yaml
    schemas.py verdicts FOLDER FILE      for every line "schema<TAB>document" of FILE prints "valid", or "invalid" and why

Patterns are read as ECMA-262 reads them, as JSON Schema asks: "$" is the very end, where Python's stands before a last
line feed as well. Formats are not asked: every schema that names one has a pattern too.
"""
import json
import os
import re
import sys
import warnings

import jsonschema
import yaml

SUFFIX = ".schema.json"

# RefResolver is what Debian 12 has; its successor, which newer versions point to, is not.
warnings.filterwarnings("ignore", category=DeprecationWarning)


def ecma_pattern(validator, pattern, instance, schema):
    if validator.is_type(instance, "string"):
        translated = re.sub(r"(?<!\\)\$$|(?<!\\)\$(?=\))", r"\\Z", pattern)
        if not re.search(translated, instance):
            yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": ecma_pattern})


class Schemas:
    """The schemas of one folder by their $id, which is their file's name."""

    def __init__(self, folder):
        self.folder = folder
        self.documents = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith(SUFFIX):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    self.documents[name] = json.load(file)
        self.validators = {name: self._validator(name) for name in self.documents}

    def _validator(self, name):
        schema = self.documents[name]
        resolver = jsonschema.RefResolver(name, schema, store=self.documents, handlers={"": self._missing})
        return Validator(schema, resolver=resolver)

    @staticmethod
    def _missing(uri):
        raise LookupError(f"{uri} is no file of the folder")

    def error(self, name, document):
        """The most telling error of a document, or None."""
        return jsonschema.exceptions.best_match(self.validators[name].iter_errors(document))


def references(value):
    """Every $ref below a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def resolve(reference, name, documents):
    """The value that a $ref in the document `name` means."""
    file, _, pointer = reference.partition("#")
    value = documents[file or name]
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def check_references(name, documents):
    for reference in references(documents[name]):
        try:
            resolve(reference, name, documents)
        except (KeyError, IndexError, ValueError, TypeError):
            yield f"the reference {reference} leads nowhere"


def check_schema(name, schemas):
    schema = schemas.documents[name]
    try:
        Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        yield f"no JSON Schema: {error.message}"
        return
    if schema.get("$id") != name:
        yield f"its $id is {schema.get('$id')}"
    broken = list(check_references(name, schemas.documents))
    yield from broken
    if broken:
        return
    if not schema.get("examples"):
        yield "it has no example"
    for index, example in enumerate(schema.get("examples", [])):
        error = schemas.error(name, example)
        if error is not None:
            yield f"example {index}: {error.json_path}: {error.message}"


def check_asyncapi(name, documents):
    document = documents[name]
    if not str(document.get("asyncapi", "")).startswith("3."):
        yield "it is no AsyncAPI 3 document"
    broken = list(check_references(name, documents))
    yield from broken
    if broken:
        return
    for id, channel in document["channels"].items():
        placed = set(re.findall(r"\{(\w+)\}", channel["address"]))
        if placed != set(channel.get("parameters", {})):
            yield f"channel {id}: the parameters are not those of its address"
        if not channel.get("messages"):
            yield f"channel {id}: it has no messages"
    for id, operation in document["operations"].items():
        yield from (f"operation {id}: {finding}" for finding in check_operation(operation, name, documents))


def check_operation(operation, name, documents):
    if operation.get("action") not in ("send", "receive"):
        yield "its action is neither send nor receive"
    channel = operation.get("channel", {}).get("$ref", "")
    if not channel.startswith("#/channels/"):
        yield "it names no channel"
    messages = [message["$ref"] for message in operation.get("messages", [])]
    if not messages or not all(message.startswith(channel + "/messages/") for message in messages):
        yield "its messages are not those of its channel"
    for message in messages:
        target = resolve(message, name, documents)
        target = resolve(target["$ref"], name, documents) if "$ref" in target else target
        if "payload" not in target:
            yield f"{message} has no payload"


METHODS = ("get", "put", "post", "patch", "delete", "head", "options")


def check_openapi(name, documents):
    document = documents[name]
    if not str(document.get("openapi", "")).startswith("3.1"):
        yield "it is no OpenAPI 3.1 document"
    broken = list(check_references(name, documents))
    yield from broken
    if broken:
        return
    schemes = set(document["components"]["securitySchemes"])
    seen = set()
    for path, item in document["paths"].items():
        shared = [resolve_parameter(entry, name, documents) for entry in item.get("parameters", [])]
        for method in (key for key in item if key in METHODS):
            operation = item[method]
            own = [resolve_parameter(entry, name, documents) for entry in operation.get("parameters", [])]
            placed = set(re.findall(r"\{(\w+)\}", path))
            named = {entry["name"] for entry in shared + own if entry["in"] == "path"}
            if placed != named:
                yield f"{method} {path}: the parameters are not those of its path"
            if operation.get("operationId") in seen or not operation.get("operationId"):
                yield f"{method} {path}: it has no id of its own"
            seen.add(operation.get("operationId"))
            if not any(status.startswith("2") for status in operation.get("responses", {})):
                yield f"{method} {path}: it has no good answer"
            if not all(set(entry) <= schemes for entry in operation.get("security", [])):
                yield f"{method} {path}: it names an unknown security scheme"


def resolve_parameter(entry, name, documents):
    return resolve(entry["$ref"], name, documents) if "$ref" in entry else entry


def check(folder):
    schemas = Schemas(folder)
    for name in schemas.documents:
        for finding in check_schema(name, schemas):
            print(f"{os.path.join(folder, name)}: {finding}")
    for name, judge in (("asyncapi.yaml", check_asyncapi), ("openapi.yaml", check_openapi)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            documents = {**schemas.documents, name: yaml.safe_load(file)}
        for finding in judge(name, documents):
            print(f"{os.path.join(folder, name)}: {finding}")


def verdicts(folder, path):
    schemas = Schemas(folder)
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, _, text = line.partition("\t")
            error = schemas.error(name + SUFFIX, json.loads(text))
            reason = "" if error is None else f"{error.json_path}: {error.message}"
            print("valid" if error is None else "invalid " + " ".join(reason.split())[:300])


if __name__ == "__main__":
    {"check": check, "verdicts": verdicts}[sys.argv[1]](*sys.argv[2:])

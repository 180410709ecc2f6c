"""Extensions of schemathesis: the check that what the document allows is served, or refused for a reason that no schema
can say, and what the document says of one kind of caller alone.

The check takes the place of `positive_data_acceptance`, which knows statuses only. The reasons are told apart by the
`code` of the problem document, so that a document that forgets a rule of its own is still found.
"""

import ast
import json
import os
import re
import threading
from datetime import datetime

import schemathesis

# The state of the hub, or who the caller is, decides.
OF_STATE = {401, 403, 404, 409, 412, 416, 429}
# What the words of the document say and a schema cannot.
BEYOND_SCHEMA = {
    "badExpression": "the grammar of tag expressions",
    "badTemplate": "the language of templates, and what a platform can be sent",
    "checksumMismatch": "the digest is that of the body",
    "idMismatch": "an id in the body is that of the path",
    "unsendable": "no platform can be sent this",
    "notAvailable": "something that the hub is not set up for",
    "conflictingMembers": "members that exclude one another",
}
GREATEST_NUMBER = 9_007_199_254_740_991


def value_at(case, path):
    """What a problem's path leads to: a member of the body, or a parameter by its name; None when nothing does."""
    if not path.startswith("$"):
        for values in (case.query, case.path_parameters, case.headers):
            if values and path in values:
                return values[path]
        return None
    value = case.body
    if case.operation.label == "POST /api/notifications" and not path.startswith("$.content.data"):
        value = value.get("notification") if isinstance(value, dict) else None
    for name, index in re.findall(r"\.([^.\[]+)|\[(\d+)\]", path):
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def is_time(text):
    try:
        datetime.strptime(text[:19].upper(), "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return False
    return True


def is_beyond_schema(case, response, problem):
    """Whether the reason is one that a schema cannot say; for those that are about a value, by a look at it."""
    code, path = problem["code"], problem.get("path", "")
    value = value_at(case, path)
    if code in BEYOND_SCHEMA:
        return True
    # Lengths are counted in bytes.
    if code == "tooLong":
        return not isinstance(value, str) or len(value.encode()) > len(value)
    # U+0000 can be written in JSON, but not stored.
    if code == "invalidJSON":
        return "nulCharacter" in problem["detail"]
    # A number is limited as a text too.
    if code == "outOfRange" and isinstance(value, str) and value.isdecimal():
        return int(value) > GREATEST_NUMBER
    # The calendar and the clock.
    if code == "invalidFormat" and isinstance(value, str) and re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]", value):
        return not is_time(value)
    # The JSON inside of a string.
    if code == "wrongType" and isinstance(value, str):
        return re.search(r"(pushChannel|token|value)$", path) is not None
    # Only what a patch makes of the document that is there is wrong.
    return response.status_code == 422 and case.method == "PATCH"


@schemathesis.check
def valid_data_is_served(ctx, response, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return None
    if response.status_code in OF_STATE or response.status_code >= 500:
        return None
    # An address and header fields of 8 KiB can be made of parts that are each as long as they may be.
    if response.status_code in (414, 431):
        sent = len(response.request.url) + sum(len(name) + len(value) + 4 for name, value in response.request.headers.items())
        assert sent > 8000, f"{sent} bytes of header are too many"
        return None
    problem = response.json()
    if is_beyond_schema(case, response, problem):
        return None
    raise AssertionError(f"a valid request is refused: {problem}")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """A service must say what is known of a device; the document has it in words."""
    if os.environ.get("API_TEST_CALLER") == "service":
        components = raw_schema["components"]
        components["parameters"]["User"]["required"] = True
        components["schemas"]["Notification"]["required"] = ["to"]
        components["schemas"]["ReportedReceipt"]["required"].append("installationId")


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(ctx, value):
    values = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(each) for each in values).encode()


def one_at_a_time(function):
    lock = threading.Lock()

    def locked(*arguments, **options):
        with lock:
            return function(*arguments, **options)

    return locked


# The parser of CPython 3.11 counts its depth for all threads together, and fails when they use it at the same time.
ast.parse = one_at_a_time(ast.parse)

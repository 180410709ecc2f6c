"""Messages that can never become notifications, with the reason each one is a dead letter for."""

from __future__ import annotations

import json
from typing import Callable

Body = Callable[[str], bytes]


def _json(**members: object) -> Body:
    return lambda job_id: json.dumps({"id": job_id, **members}).encode()


def _raw(text: str | bytes) -> Body:
    data = text if isinstance(text, bytes) else text.encode()
    return lambda job_id: data.replace(b"ID", job_id.encode())


ALL = {"broadcast": True}
HELLO = {"title": "Poison"}
JOB = '"to":{"broadcast":true},"content":{"title":"Poison"}'

# Name, body, reason.
CORPUS: list[tuple[str, Body, str]] = [
    ("cut off", _raw('{"id":"ID","to":{"broadcast":true},"content":{"title":"cut o'), "invalidJSON"),
    ("empty", _raw(""), "invalidJSON"),
    ("not UTF-8", _raw(b'{"id":"ID","to":{"users":["\xff\xfe"]}}'), "invalidJSON"),
    ("NUL", _raw(b'{"id":"ID","to":{"users":["a\\u0000b"]},"content":{"title":"x"}}'), "invalidJSON"),
    ("lone surrogate", _raw(r'{"id":"ID","to":{"users":["\ud800"]},"content":{"title":"x"}}'), "invalidJSON"),
    ("nested 513", _raw('{"id":"ID",' + JOB[:-1] + ',"data":{"x":' + "[" * 513 + "]" * 513 + "}}}"), "invalidJSON"),
    ("nested 20000", _raw("[" * 20_000), "invalidJSON"),
    ("name twice", _raw('{"id":"ID",' + JOB + ',"to":{"broadcast":true}}'), "invalidJSON"),
    ("huge number", _raw('{"id":"ID",' + JOB[:-1] + ',"data":{"x":1e100000}}}'), "invalidJSON"),
    ("wrong type", _json(to=[], content=HELLO), "wrongType"),
    ("unknown member", _json(to=ALL, content={"titel": "Poison"}), "unknownMember"),
    ("nobody", _json(to={"users": []}, content=HELLO), "emptyAudience"),
    ("no target", _json(content=HELLO), "missingMember"),
    ("unfinished expression", _json(to={"tags": "news &&"}, content=HELLO), "badExpression"),
    ("deep expression", _json(to={"tags": "(" * 5000 + "news" + ")" * 5000}, content=HELLO), "badExpression"),
    ("endless NOT", _json(to={"tags": "!" * 16_000 + "news"}, content=HELLO), "badExpression"),
    ("SQL", _json(to={"tags": "'; DROP TABLE dispatcher.delivery; --"}, content=HELLO), "badExpression"),
    ("too long", _json(to={"tags": " || ".join(f"t{n}" for n in range(10_000))}, content=HELLO), "tooLong"),
    ("unknown hub", _json(hub="nowhere", to=ALL, content=HELLO), "unknownHub"),
    ("priority", _json(to=ALL, content=HELLO, options={"priority": "urgent"}), "outOfRange"),
    ("other id", _raw('{"id":"00000000-0000-4000-8000-000000000000",' + JOB + "}"), "idMismatch"),
    ("too large", _json(to=ALL, content={"title": "Poison", "data": {"x": "y" * 1_200_000}}), "bodyTooLarge"),
    ("a list", _raw("[]"), "wrongType"),
]

"""Makes broken messages with broken properties for amqp_fuzz.py; what one number makes is always the same."""

import json
import random
import re
import struct
import uuid

import amqp_raw as raw

DEVICES = 50
KEYS = ("jobs.high", "jobs.normal", "jobs.bulk", "installations", "receipts")
# How often each kind of message comes.
KINDS = {"valid": 15, "job": 45, "installation": 18, "receipt": 15, "noise": 6, "marker": 1}
SPICES = [
    b"\0", b"\\u0000", b"\\ud800", b"\\uDC00x", b"\xff\xfe", b"\xc0\xae", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"1e999", b"-0",
    b"1e-999999", b"9" * 400, b"[" * 600, b"{\"a\":" * 600, b'"', b"\\", b"{", b"}", b",", b":", b"null", b"true", b"\xef\xbb\xbf",
    b"'; DROP TABLE dispatcher.notification; --", b"$1", b"&& || !(", b"a" * 70_000, "\u202e\u0301".encode() * 50, b"/*", b"\n", b"NaN",
]  # fmt: skip
SQL = ["'; DELETE FROM dispatcher.installation; --", "x' OR '1'='1", "\\'); SELECT pg_sleep(9); --", "$$; COMMIT; $$", "%s%n"]


class Maker:
    """What one number makes is always the same."""

    def __init__(self, seed):
        self.seed = seed

    def make(self, number):
        dice = random.Random(self.seed * 1_000_003 + number)
        kind = dice.choices(list(KINDS), list(KINDS.values()))[0]
        key, body = getattr(self, kind)(dice)
        values = self.properties(dice, kind, key, body)
        return kind, key, body, values

    def valid(self, dice):
        job = self.document(dice)
        return dice.choice(KEYS[:3]), json.dumps(job).encode()

    @staticmethod
    def document(dice):
        return {
            "id": str(uuid.UUID(int=dice.getrandbits(128), version=4)),
            "to": {"installations": [f"phone-{dice.randrange(DEVICES)}"]},
            "content": {"title": "Hello", "body": "World", "data": {"n": dice.randrange(1000)}},
            "options": {"priority": "normal", "ttlSeconds": 3600},
        }

    def job(self, dice):
        job = self.document(dice)
        job["to"] = dice.choice(
            [
                job["to"], {"users": [f"user-{dice.randrange(9)}"]}, {"tags": "a && (b || !c)"}, {"tags": dice.choice(SQL)},
                {"channels": [{"platform": "apns", "token": "ok-x"}]}, {"users": [dice.choice(SQL)]},
            ]
        )  # fmt: skip
        return dice.choice(KEYS[:3]), self.broken(dice, job)

    def installation(self, dice):
        device = {
            "installationId": f"fuzz-{dice.getrandbits(64):x}", "platform": dice.choice(["apns", "apns", "fcmV1", "adm", "hms"]),
            "pushChannel": f"ok-{dice.getrandbits(64):x}", "userId": dice.choice(["user-1", *SQL]), "tags": ["fuzz", dice.choice(SQL) if dice.random() < 0.1 else "b"],
            "templates": {"t": {"body": '{"aps":{"alert":"$(x)"}}'}} if dice.random() < 0.5 else {}, "locale": "de-DE", "timeZone": "Europe/Berlin",
        }  # fmt: skip
        return "installations", json.dumps(device).encode() if dice.random() < 0.3 else self.broken(dice, device)

    def receipt(self, dice):
        receipt = {
            "id": f"{dice.getrandbits(64):x}", "notificationId": str(uuid.UUID(int=dice.getrandbits(128), version=4)),
            "installationId": "phone-1", "kind": dice.choice(["displayed", "read", "action", "reply"]), "at": "2026-11-30T08:00:00Z",
            "actionId": "yes", "text": "ok",
        }  # fmt: skip
        return "receipts", self.broken(dice, receipt)

    @staticmethod
    def noise(dice):
        return dice.choice(KEYS), dice.randbytes(dice.choice([0, 1, 7, 300, 5000, 200_000 if dice.random() < 0.02 else 50]))

    @staticmethod
    def marker(dice):
        """Takes a message for the mark of an erasure that does not exist: met, and nothing else."""
        return dice.choice(KEYS), dice.randbytes(dice.randrange(9))

    def broken(self, dice, document):
        """Half of them are JSON still, with something in it that should not be there."""
        if dice.random() < 0.5:
            for _ in range(dice.choice([1, 1, 2, 4])):
                self.twist(dice, document)
            return json.dumps(document).encode()
        return self.spoilt(dice, json.dumps(document).encode())

    @staticmethod
    def twist(dice, value):
        """Changes one member, somewhere inside."""
        while isinstance(value, (dict, list)) and value:
            place = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
            inner = value[place]
            if isinstance(inner, (dict, list)) and inner and dice.random() < 0.7:
                value = inner
                continue
            way = dice.randrange(6)
            if way == 0:
                del value[place]
            elif way == 1 and isinstance(value, dict):
                value[dice.choice(["x", "", "id", "hub", "tags", "\u0000", "a" * 300, dice.choice(SQL)])] = inner
            else:
                value[place] = dice.choice(
                    [
                        None, True, 0, -1, 1e308, 2**63, -(2**70), 0.1, "", "x", "\u0000", "\ud800", "\u202e", "a" * 5_000, [], {}, [[]],
                        {"a": {"a": {"a": 1}}}, "2026-11-30T08:00:00Z", "2999-01-01T00:00:00Z", "default", "nowhere", dice.choice(SQL), inner,
                        [inner] * 2, {"x": inner}, "high", "at-most-once", ["a"] * 1_001,
                    ]
                )  # fmt: skip
            return

    @staticmethod
    def spoilt(dice, body):
        body = bytearray(body)
        for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
            place = dice.randrange(len(body) + 1)
            way = dice.randrange(7)
            if way == 0 and body:
                body[place % len(body)] ^= 1 << dice.randrange(8)
            elif way == 1:
                body[place:place] = dice.choice(SPICES)
            elif way == 2:
                del body[place:place + dice.randrange(1, 20)]
            elif way == 3:
                body[place:place] = body[place:place + dice.randrange(1, 60)]
            elif way == 4:
                body = body[:place]
            elif way == 5:
                body[place:place + dice.randrange(4)] = dice.randbytes(dice.randrange(1, 5))
            else:
                words = re.findall(rb'"[A-Za-z]+"', bytes(body))
                if len(words) > 1:
                    old, new = dice.sample(words, 2)
                    body = bytearray(bytes(body).replace(old, new, 1))
        return bytes(body)

    @staticmethod
    def message_id(dice, kind, key, body):
        """Jobs take it for their id. Queue, message id and body together are what makes a message another one."""
        found = re.match(rb'{"id": "([0-9a-f-]{36})"', body)
        if kind == "valid":
            return dice.choice([b"", found[1]])
        if key.startswith("jobs.") and found:
            return dice.choice([b"", found[1], found[1], found[1], dice.randbytes(20)])
        unique = f"{dice.getrandbits(128):x}".encode()
        return unique + dice.choice([b"\xff" * 223, b"a\0b"]) if dice.random() < 0.02 else unique

    def properties(self, dice, kind, key, body):
        values = {raw.DELIVERY: dice.choice([1, 2, 2, 2]), raw.MESSAGE_ID: self.message_id(dice, kind, key, body)[:255]}
        if not values[raw.MESSAGE_ID]:
            del values[raw.MESSAGE_ID]
        if kind == "marker":
            values[raw.TYPE] = "dispatcher.erasure"
            values[raw.MESSAGE_ID] = dice.choice([str(uuid.UUID(int=dice.getrandbits(128), version=4)), "no uuid", ""])
            return values
        if dice.random() < 0.5:
            values[raw.HEADERS] = self.headers(dice)
        for flag in (raw.CONTENT_TYPE, raw.ENCODING, raw.CORRELATION, raw.REPLY_TO, raw.TYPE, raw.APP_ID):
            if dice.random() < 0.2:
                values[flag] = dice.choice([b"", b"application/json", dice.randbytes(dice.randrange(30)), b"\xff" * 255, b"a\0b"])
        if dice.random() < 0.2:
            values[raw.TIMESTAMP] = dice.choice([0, 1, 2**63 - 1, 2**63, 2**64 - 1])
        if dice.random() < 0.2:
            values[raw.PRIORITY] = dice.randrange(256)
        return values

    def headers(self, dice):
        if dice.random() < 0.004:
            return raw.nested(dice.choice(["tables", "arrays"]), dice.choice([40, 513, 5_000, 18_000]))
        out = b""
        for _ in range(dice.randrange(6)):
            out += raw.short(self.name(dice)) + self.field(dice, 0)
        return out

    @staticmethod
    def name(dice):
        known = [b"x-death", b"x-delivery-count", b"x-dispatcher-publisher", b"x-dispatcher-generation", b"x-first-death-queue"]
        return dice.choice([b"", b"a", b"\xff\xfe", b"n\0n", b"k" * 128, dice.choice(known), b"trace-id"])

    def field(self, dice, depth):
        kind = dice.choice("SSIltbsdfDTVxFA" if depth < 4 else "SItV")
        if kind in "Sx":
            data = dice.choice([b"", b"text", dice.randbytes(40), b"\0", b"\xed\xa0\x80", b"v" * 2_000])
            return kind.encode() + raw.long(data)
        if kind == "V":
            return b"V"
        if kind in "df":
            # The broker cannot read what is no number, and ends the connection of whoever sends it.
            return kind.encode() + struct.pack(">" + kind, dice.choice([0.0, -1.5, 3e38, 1e-40]))
        if kind in "FA":
            inside = b""
            for _ in range(dice.randrange(4)):
                inside += (raw.short(self.name(dice)) if kind == "F" else b"") + self.field(dice, depth + 1)
            return kind.encode() + raw.long(inside)
        return kind.encode() + dice.randbytes({"I": 4, "l": 8, "t": 1, "b": 1, "s": 2, "D": 5, "T": 8}[kind])

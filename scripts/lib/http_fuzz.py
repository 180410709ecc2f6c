"""Sends requests that are broken in every way to a running server, over raw sockets, and watches it.

Nothing may crash it, keep a connection hanging or be answered 500. Standard library only. Usage:
http_fuzz.py URL COUNT SEED, with the key's secret in SERVE_SECRET and the server's process id in serve_pid.
"""

import asyncio
import base64
import hashlib
import hmac
import os
import random
import sys
import time
import urllib.parse
from collections import Counter
from pathlib import Path

WORKERS = 96
# How long an answer is waited for before the connection is half closed, and how long for more after one.
PATIENCE = 0.08
MORE = 0.004
HANG = 20
ID = "00000000-0000-7000-8000-000000000001"
# Method, path and body of what the API knows.
KNOWN = [
    ("GET", "/health", None),
    ("GET", "/ready", None),
    ("PUT", "/api/installations/phone-1", '{"platform":"apns","pushChannel":"ok-1","tags":["a"],"userId":"u"}'),
    ("GET", "/api/installations/phone-1", None),
    ("PATCH", "/api/installations/phone-1", '[{"op":"add","path":"/tags/-","value":"x"}]'),
    ("DELETE", "/api/installations/phone-2", None),
    ("GET", "/api/installations?tags=a%20%26%26%20!b&limit=3", None),
    ("POST", "/api/installations/import", '{"installationId":"p3","platform":"apns","pushChannel":"ok-3"}\n' * 3),
    ("GET", "/api/installations/export", None),
    ("POST", "/api/jobs", '{"to":{"users":["u"]},"content":{"title":"t","body":"b"}}'),
    ("GET", f"/api/jobs/{ID}", None),
    ("DELETE", f"/api/jobs/{ID}", None),
    ("GET", "/api/jobs?state=scheduled", None),
    ("POST", "/api/receipts", '{"receipts":[{"notificationId":"' + ID + '","installationId":"phone-1","kind":"read",'
                              '"at":"2026-12-01T12:00:05Z"}]}'),
    ("POST", "/api/notifications", "MULTIPART"),
    ("POST", "/api/notifications", '{"to":{"users":["u"]},"content":{"rich":{"content":{"type":"text/plain","data":"aGk="}}}}'),
    ("GET", f"/api/notifications/{ID}", None),
    ("POST", f"/api/notifications/{ID}/read", None),
    ("POST", f"/api/notifications/{ID}/link", None),
    ("GET", "/api/inbox?user=u&limit=2", None),
    ("POST", "/api/inbox/read", '{"thread":"t"}'),
    ("GET", "/api/categories", None),
    ("PUT", "/api/categories/invite", '{"id":"invite","actions":[{"id":"yes","title":"Yes"}]}'),
    ("DELETE", "/api/users/nobody", None),
]  # fmt: skip
SPICES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b",", b";", b"%00", b"%2e%2e/", b"../", b"//", b"\x7f", b"\x80", b"\xff\xfe",
    b"\xc0\xae", b"\xed\xa0\x80", b"HTTP/1.1", b"HTTP/0.9", b"HTTP/9.9", b"Content-Length: 5\r\n", b"Content-Length: 0\r\n",
    b"Content-Length: 18446744073709551616\r\n", b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: gzip\r\n", b"Expect: 100-continue\r\n", b"Connection: close\r\n", b"Connection: upgrade\r\n",
    b"Upgrade: h2c\r\n", b"Host: b\r\n", b" folded\r\n", b"Range: bytes=0-,-1\r\n", b"If-Match: \"\r\n", b"0\r\n\r\n",
    b"ffffffffffffffff\r\n", b"-1\r\n", b"1;x=\"\r\n", b"A" * 300, b"A" * 9000, b"--boundary--", b"{", b"}", b'"', b"\\", b"\\u0000",
    b"\\ud800", b"1e999", b"[" * 200,
]  # fmt: skip


def signature(url, secret):
    resource = urllib.parse.quote(url + "/", safe="")
    expiry = int(time.time()) + 7200
    code = hmac.new(secret.encode(), f"{resource}\n{expiry}".encode(), hashlib.sha256).digest()
    signed = urllib.parse.quote(base64.b64encode(code), safe="")
    return f"SharedAccessSignature sr={resource}&sig={signed}&se={expiry}&skn=tester"


class Requests:
    """Requests by a seed: what one number makes is always the same."""

    def __init__(self, host, token, seed):
        self.host, self.token, self.seed = host, token, seed

    def make(self, number):
        dice = random.Random(self.seed * 1_000_003 + number)
        # Two in a row on one connection show whether the end of the first is found.
        request = b"".join(self.one(dice) for _ in range(dice.choice([1, 1, 1, 2])))
        for _ in range(dice.choice([0, 1, 1, 2, 4, 8])):
            request = self.broken(request, dice)
        return request

    def one(self, dice):
        method, path, body = dice.choice(KNOWN)
        fields = [f"Host: {self.host}"]
        if dice.random() < 0.8:
            fields.append(f"Authorization: {self.token}")
        kind = "application/json-patch+json" if method == "PATCH" else "application/json"
        if body == "MULTIPART":
            kind, body = 'multipart/form-data; boundary="boundary"', self.multipart(dice)
        data = body.encode() if isinstance(body, str) else body
        if data is None:
            return "\r\n".join([f"{method} {path} HTTP/1.1", *fields, "", ""]).encode()
        fields.append(f"Content-Type: {kind}")
        if dice.random() < 0.4:
            fields.append("Transfer-Encoding: chunked")
            data = self.chunked(data, dice)
        else:
            fields.append(f"Content-Length: {len(data)}")
        return "\r\n".join([f"{method} {path} HTTP/1.1", *fields, "", ""]).encode() + data

    @staticmethod
    def multipart(dice):
        parts = [
            ("to", "application/json", b'{"users":["u"]}'),
            ("content", dice.choice(["image/png", "text/html", "x/y"]), dice.randbytes(dice.choice([0, 1, 100, 70_000]))),
        ]
        lines = []
        for name, kind, data in parts:
            head = f'--boundary\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Type: {kind}\r\n\r\n'
            lines.append(head.encode() + data + b"\r\n")
        return b"".join(lines) + b"--boundary--\r\n"

    @staticmethod
    def chunked(data, dice):
        pieces = []
        while data:
            size = dice.choice([1, 2, 7, 100, 5000])
            piece, data = data[:size], data[size:]
            pieces.append(f"{len(piece):x}{dice.choice(['', '', ';a=b'])}\r\n".encode() + piece + b"\r\n")
        return b"".join(pieces) + b"0\r\n\r\n"

    @staticmethod
    def broken(request, dice):
        place = dice.randrange(len(request) + 1)
        # The head is where most decisions are made.
        if dice.random() < 0.6:
            place = min(place, dice.randrange(400))
        kind = dice.randrange(6)
        if kind == 0:
            return request[:place] + bytes([dice.randrange(256)]) + request[place + 1 :]
        if kind == 1:
            return request[:place] + dice.choice(SPICES) + request[place:]
        if kind == 2:
            return request[:place] + request[place + dice.choice([1, 2, 10, 100]) :]
        if kind == 3:
            return request[:place] + request[place : place + 60] * 2 + request[place + 60 :]
        if kind == 4:
            return request[:place]
        lines = request.split(b"\r\n")
        dice.shuffle(lines)
        return b"\r\n".join(lines)


class Watcher:
    """Sends them and judges the answers."""

    def __init__(self, requests, port, count):
        self.requests, self.port, self.count = requests, port, count
        self.next = 0
        self.statuses = Counter()
        self.failures = []

    async def run(self):
        await asyncio.gather(*(self.work() for _ in range(WORKERS)))

    async def work(self):
        while self.next < self.count and len(self.failures) < 10:
            number, self.next = self.next, self.next + 1
            if number % 20_000 == 0:
                print(f"fuzz: {number:,} requests", file=sys.stderr, flush=True)
            try:
                await self.send(number)
            except OSError:
                self.statuses["reset"] += 1

    async def send(self, number):
        request = self.requests.make(number)
        # Each from an address of its own, as refused credentials are counted by address.
        source = f"127.{number >> 16 & 127}.{number >> 8 & 255}.{number & 255 or 1}"
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        try:
            writer.write(request)
            await writer.drain()
            answer = await self.read(reader, PATIENCE, MORE)
            # Whoever still waits for more of the request sees now that there is none; the connection must end.
            writer.write_eof()
            rest, has_ended = await self.read(reader, HANG, HANG)
            if has_ended:
                self.judge(number, request, answer[0] + rest)
            else:
                self.fail(number, request, "the connection hangs")
        finally:
            writer.close()

    async def read(self, reader, patience, more):
        """What comes within the time, with less of it after the first octets; and whether the server closed."""
        data, end = b"", time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            try:
                chunk = await asyncio.wait_for(reader.read(65_536), left)
            except TimeoutError:
                break
            if not chunk:
                return data, True
            data += chunk
            end = min(end, time.monotonic() + more)
        return data, False

    def judge(self, number, request, answer):
        if not answer:
            self.statuses["none"] += 1
        elif not answer.startswith(b"HTTP/1.1 "):
            self.fail(number, request, f"this is no answer: {answer[:80]!r}")
        else:
            self.statuses[answer[9:12].decode(errors="replace")] += 1
            if b"HTTP/1.1 500" in answer:
                self.fail(number, request, "answered 500")

    def fail(self, number, request, what):
        self.failures.append(f"request {number}: {what}\n{request[:2000]!r}")


def resident_megabytes(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main():
    url, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pid, address = os.environ["serve_pid"], urllib.parse.urlsplit(url)
    requests = Requests(address.netloc, signature(url, os.environ["SERVE_SECRET"]), seed)
    watcher = Watcher(requests, address.port, count)
    started = time.monotonic()
    asyncio.run(watcher.run())
    seconds = time.monotonic() - started
    if not Path(f"/proc/{pid}").exists():
        watcher.failures.append("the server has ended")
    statuses = ", ".join(f"{status}: {number:,}" for status, number in sorted(watcher.statuses.items()))
    print(f"fuzz: {watcher.next:,} requests in {seconds:.0f} s, seed {seed}; answers {statuses}")
    if not watcher.failures:
        print(f"fuzz: the server lives and holds {resident_megabytes(pid):.0f} MB")
    for failure in watcher.failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if watcher.failures else 0)


main()

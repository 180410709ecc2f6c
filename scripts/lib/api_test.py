"""Runs schemathesis on a running API, once as a service with a key and once as a device, and counts its cases.

Usage: api_test.py URL CASES SEED [PATHS], with the key's secret in SERVE_SECRET; PATHS is a regular expression.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "schemas" / "openapi.yaml"
HOME = ROOT / ".local" / "api-test"


class Relay(threading.Thread):
    """Passes connections on, each from an address of its own: refused credentials are counted by address, and a test
    sends thousands."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.target, self.port, self.ready = port, None, threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.relay, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    async def relay(self, reader, writer):
        source = f"127.{random.randrange(1, 128)}.{random.randrange(256)}.{random.randrange(1, 255)}"
        there, back = await asyncio.open_connection("127.0.0.1", self.target, local_addr=(source, 0))
        await asyncio.gather(self.copy(reader, back), self.copy(there, writer))

    @staticmethod
    async def copy(reader, writer):
        try:
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


def signature(url, secret):
    resource = urllib.parse.quote(url + "/", safe="")
    expiry = int(time.time()) + 7200
    code = hmac.new(secret.encode(), f"{resource}\n{expiry}".encode(), hashlib.sha256).digest()
    signed = urllib.parse.quote(base64.b64encode(code), safe="")
    return f"SharedAccessSignature sr={resource}&sig={signed}&se={expiry}&skn=tester"


def register_device(url, token):
    """A device of the test's own, and what it shows."""
    body = json.dumps({"platform": "apns", "pushChannel": "ok-tester", "userId": "tester"}).encode()
    fields = {"Authorization": token, "Content-Type": "application/json"}
    request = urllib.request.Request(url + "/api/installations/tester", body, fields, method="PUT")
    with urllib.request.urlopen(request) as answer:
        secret = json.load(answer)["secret"]
    return "Basic " + base64.b64encode(f"tester:{secret}".encode()).decode()


def operations():
    text = DOCUMENT.read_text(encoding="utf-8")
    return len(re.findall(r"^    (?:get|put|post|patch|delete|head):", text, re.MULTILINE))


def run(name, url, authorization, examples, seed, paths, *unchecked):
    """One run; answers how many cases it has made and whether all was well."""
    caller = name.split()[-1]
    report = HOME / f"{caller}.ndjson"
    command = [
        HOME / "venv" / "bin" / "schemathesis", "--config-file", Path(__file__).parent / "schemathesis.toml", "run", DOCUMENT, "--url", url, "--header", f"Authorization:{authorization}",
        "--checks", "all", "--exclude-checks", ",".join(["positive_data_acceptance", *unchecked]), "--max-examples", examples, "--seed", seed, "--continue-on-failure", "--no-color", "--workers", 4,
        "--suppress-health-check", "all", "--warnings", "off", "--request-timeout", 60, "--max-response-time", 60, "--report", "ndjson",
        "--report-ndjson-path", report,
    ]  # fmt: skip
    if paths:
        command += ["--include-path-regex", paths]
    log = HOME / f"{caller}.log"
    with open(log, "w", encoding="utf-8") as output:
        environment = dict(
            os.environ, SCHEMATHESIS_HOOKS="api_checks", PYTHONPATH=str(Path(__file__).parent), API_TEST_CALLER=caller
        )
        done = subprocess.run(
            [str(part) for part in command], stdout=output, stderr=subprocess.STDOUT, cwd=HOME, env=environment
        )
    text = log.read_text(encoding="utf-8")
    cases = re.search(r"([\d,]+) generated", text)
    print(f"api-test: as {name}: {cases[1] if cases else '?'} cases, {'nothing found' if done.returncode == 0 else 'FAILED'}; {log}")
    return int(cases[1].replace(",", "")) if cases else 0, done.returncode == 0


def main():
    url, cases, seed, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3], (sys.argv[4:] or [""])[0]
    relay = Relay(urllib.parse.urlsplit(url).port)
    relay.start()
    relay.ready.wait()
    url = f"http://127.0.0.1:{relay.port}"
    token = signature(url, os.environ["SERVE_SECRET"])
    examples = max(10, cases // operations())
    results = [
        run("a service", url, token, examples, seed, paths),
        # What a device may not do at all is refused to it, which is a case too.
        run("a device", url, register_device(url, token), max(10, examples // 4), seed, paths, "ensure_resource_availability"),
    ]
    total = sum(count for count, _ in results)
    print(f"api-test: {total:,} cases, seed {seed}")
    sys.exit(0 if (paths or total >= cases) and all(good for _, good in results) else 1)


main()

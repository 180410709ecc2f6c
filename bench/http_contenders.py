"""Who answers: Dispatcher and what one would build instead, each as a process on a port of its own."""

import base64
import hashlib
import hmac
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from contenders import OPPONENTS, OUR_ENVIRONMENT, Workers
from servers import DISPATCHER, HOME, PYTHON, ROOT, run


class Service:
    """A running server."""

    def __init__(self, contender, servers):
        self.port = free_port()
        environment = dict(servers.environment, **OUR_ENVIRONMENT)
        environment["DISPATCHER_HTTP_ADDRESS"] = f"127.0.0.1:{self.port}"
        environment["PYTHONPATH"] = str(OPPONENTS / "http")
        self.url = f"http://127.0.0.1:{self.port}"
        self.workers = Workers(contender.key, [str(part).format(port=self.port) for part in contender.command], 1, environment)

    def __enter__(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=1):
                    # Every process of it has started, not only the one that answered.
                    time.sleep(1)
                    return self
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        self.workers.stop()
        raise RuntimeError(f"no answer from {self.url}; see {HOME / 'log'}")

    def __exit__(self, *_):
        self.workers.stop()


class Contender:
    """A program that answers HTTP."""

    def __init__(self, key, command, schema):
        self.key, self.command, self.schema = key, command, schema

    def start(self, servers):
        return Service(self, servers)

    def authorization(self, service):
        """What a service sends; both look it up for each request."""
        return "Bearer secret-of-service"


class Ours(Contender):
    secret = None

    def authorization(self, service):
        resource = urllib.parse.quote(service.url + "/", safe="")
        expiry = int(time.time()) + 3600
        code = hmac.new(self.secret.encode(), f"{resource}\n{expiry}".encode(), hashlib.sha256).digest()
        signature = urllib.parse.quote(base64.b64encode(code), safe="")
        return f"SharedAccessSignature sr={resource}&sig={signature}&se={expiry}&skn=bench"

    def make_key(self, environment):
        answer = run(DISPATCHER, "keys", "create", "bench", "--rights", "manage", "--json", cwd=ROOT, env=environment,
                     stdout=subprocess.PIPE)  # fmt: skip
        self.secret = json.loads(answer.stdout)["primary"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def contenders():
    uvicorn = [PYTHON, "-m", "uvicorn", "service:app", "--host", "127.0.0.1", "--port", "{port}", "--loop", "uvloop",
               "--http", "httptools", "--log-level", "warning", "--timeout-keep-alive", "60"]  # fmt: skip
    return [
        Ours("ours", [DISPATCHER, "serve"], "dispatcher"),
        Contender("fastapi", [*uvicorn, "--no-access-log"], "opponent_http"),
        Contender("fastapi_two", [*uvicorn, "--no-access-log", "--workers", "2"], "opponent_http"),
    ]


def raise_descriptor_limit():
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return os.getpid()

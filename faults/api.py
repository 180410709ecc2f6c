"""The HTTP API as a service uses it, with the key of each hub."""

from __future__ import annotations

import http.client
import json
import sys
import time
from typing import TYPE_CHECKING, Callable

from settings import ROOT

# The demo's client; its folder comes last, so that none of its other modules hides one of ours.
sys.path.append(str(ROOT / "scripts" / "demo.d"))
from client import Client, signed  # noqa: E402

if TYPE_CHECKING:
    from stage import Stage

PAUSE = 0.3


class HubClient:
    """One connection to the API for one thread."""

    def __init__(self, address: str, secrets: dict[str, str]) -> None:
        self._clients = {hub: Client(address, signed(address, f"campaign-{hub}", secrets[hub])) for hub in secrets}

    def ask(self, hub: str, method: str, path: str, body: bytes | None = None) -> tuple[int, dict]:
        """Status and document; 0 when there was no answer."""
        client = self._clients[hub]
        headers = {"Content-Type": "application/json"} if body is not None else None
        try:
            answer = client.request(method, path, body=body, headers=headers)
        except (OSError, http.client.HTTPException):
            client.connection.close()
            return 0, {}
        try:
            return answer.status, json.loads(answer.body)
        except ValueError:
            return answer.status, {}

    def send(self, hub: str, body: bytes) -> bool:
        """One try: whether the hub has taken the job."""
        return self.ask(hub, "POST", "/api/jobs", body)[0] == 202

    def insist(self, hub: str, body: bytes, until: Callable[[], bool]) -> bool:
        while not self.send(hub, body):
            if until():
                return False
            time.sleep(PAUSE)
        return True

    def insist_on(self, wanted: int, hub: str, method: str, path: str) -> None:
        for _ in range(100):
            if self.ask(hub, method, path)[0] == wanted:
                return
            time.sleep(PAUSE)
        raise RuntimeError(f"{method} {path} is never answered {wanted}")

    def wait_for_state(self, hub: str, path: str, wanted: str, seconds: float) -> str:
        """The state that the document at this path has in the end."""
        deadline = time.monotonic() + seconds
        while True:
            state = str(self.ask(hub, "GET", path)[1].get("state"))
            if state == wanted or time.monotonic() > deadline:
                return state
            time.sleep(PAUSE)

    def cancel(self, hub: str, job_id: str, until: Callable[[], bool]) -> bool:
        """Asks until the hub says that the job is cancelled; false when it is finished, or enough is enough."""
        while True:
            status, problem = self.ask(hub, "DELETE", f"/api/jobs/{job_id}")
            if status == 202:
                return True
            if problem.get("code") == "finished" or until():
                return False
            time.sleep(PAUSE)


def make_keys(stage: Stage, hubs: tuple[str, ...]) -> dict[str, str]:
    """A key for each hub that may do everything there."""
    secrets = {}
    for hub in hubs:
        answer = stage.command("keys", "create", f"campaign-{hub}", "--hub", hub, "--rights", "listen,send,manage", "--json")
        secrets[hub] = json.loads(answer.stdout)["primary"]
    return secrets

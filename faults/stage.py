"""Everything that plays in a campaign: servers, proxies, workers, the API, the gateway's mood and the load."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass

from fleet import Fleet
from gateway import GatewayMode
from load import Load
from process import wait_until
from proxy import Proxy
from servers import Broker, Database
from service import Service
from settings import Settings, say
from stack import Stack
from urls import host_and_port, with_port

QUIET_AFTER = 120


@dataclass
class Proxies:
    """One in front of the broker, one in front of the database."""

    amqp: Proxy
    database: Proxy


class Stage:
    """One set of private servers with what a group of faults needs; everything on it ends with it."""

    def __init__(self, settings: Settings, needs: tuple[str, ...]) -> None:
        self.settings = settings
        self.needs = frozenset(needs)
        self.folder = settings.home / "-".join(["stage", *sorted(needs)])
        self.program = settings.debug_program if "hooks" in self.needs else settings.program
        self.extra: dict[str, str] = {}  # the environment that the present fault wants
        self.load: Load | None = None
        self.stack = Stack(self.folder / "stack", nodes=3 if "cluster" in self.needs else 1)

    def start(self) -> None:
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        run = self.folder / "run"
        run.mkdir(parents=True)
        self.stack.start()
        self.broker = Broker(self.stack)
        self.database = Database(self.stack)
        self.proxies = Proxies(
            Proxy("amqp", host_and_port(self.broker.url)), Proxy("database", host_and_port(self.database.url))
        )
        if "proxies" in self.needs:
            self.proxies.amqp.start()
            self.proxies.database.start()
        self.gateway = GatewayMode(run / "gateway.json")
        self.workers = Fleet(self.program, run / "workers", self.worker_environment)
        self.http = Service(self.program, run, self.worker_environment)
        self.command("migrate")

    def stop(self) -> None:
        """Ends every process of the stage, whatever has been started of it."""
        for name in ("workers", "http"):
            if hasattr(self, name):
                getattr(self, name).stop()
        if hasattr(self, "proxies"):
            self.proxies.amqp.stop()
            self.proxies.database.stop()
        if hasattr(self, "database"):
            self.database.close()
        self.stack.wipe()

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command of the program beside the proxies."""
        return subprocess.run(
            [str(self.program), *words], check=check, text=True, capture_output=True,
            env=self.base_environment(), timeout=120,
        )  # fmt: skip

    def base_environment(self) -> dict[str, str]:
        return dict(
            os.environ, DISPATCHER_AMQP_URL=self.broker.url, DISPATCHER_DATABASE_URL=self.database.url,
            DISPATCHER_SIMULATED_MODE_FILE=str(self.gateway.path),
        )  # fmt: skip

    def worker_environment(self) -> dict[str, str]:
        """Of workers and of the API: through the proxies, and with what the present fault wants."""
        return self.base_environment() | {
            "DISPATCHER_AMQP_URL": with_port(self.broker.url, self.proxies.amqp.port),
            "DISPATCHER_DATABASE_URL": with_port(self.database.url, self.proxies.database.port),
        } | self.extra

    def heal(self) -> None:
        """Whatever a fault has left, everything works again after this."""
        self.proxies.amqp.heal()
        self.proxies.database.heal()
        self.database.heal()
        self.broker.heal()
        self.gateway.heal()
        self.workers.heal()
        self.http.heal()

    def drain(self, seconds: float = QUIET_AFTER) -> bool:
        """Waits until queues and tables are quiet; false when they are not in that time."""
        return wait_until(self.is_quiet, seconds, pause=0.25)

    def is_quiet(self) -> bool:
        return False

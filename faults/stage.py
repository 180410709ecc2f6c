"""Everything that plays in a campaign: servers, proxies, workers, the API, the gateway's mood and the load."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from random import Random

import queues
from api import HubClient, make_keys
from broker import Broker
from clock import Clock
from database import Database
from finality import Finality
from fleet import Fleet
from gateway import GatewayMode
from load import Load
from population import FORGETFUL, HUBS, Device, Population
from process import wait_until
from proxy import Proxy
from psql import Refused
from service import Service
from settings import Settings, say
from stack import Stack
from urls import host_and_port, with_port
from witness import Witness

# Nothing of ours in the tables that is due within the next minutes; what is scheduled for later may stay.
UNFINISHED = """
    select (select count(*) from dispatcher.plan where due_at < now() + interval '5 minutes')
         + (select count(*) from dispatcher.batch)
         + (select count(*) from dispatcher.retry)
         + (select count(*) from dispatcher.outbox)
         + (select count(*) from dispatcher.dead_letter where published_at is null and is_open)"""


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
        self.run = self.folder / "run"
        self.program = settings.debug_program if "hooks" in self.needs else settings.program
        self.extra: dict[str, str] = {}  # the environment that the present fault wants
        self.load: Load | None = None
        self.load_number = 0
        self.earlier_loads: list[Load] = []
        self.known_jobs: set[str] = set()  # of all loads until now
        self.may_crash = False  # workers are made to crash
        self.stack = Stack(self.folder / "stack", nodes=3 if "cluster" in self.needs else 1)
        self.population = Population.make(settings.seed, settings.devices)

    def start(self) -> None:
        shutil.rmtree(self.run, ignore_errors=True)
        self.run.mkdir(parents=True)
        self.stack.start()
        self.broker = Broker(self.stack)
        self.database = Database(self.stack)
        nodes = [("127.0.0.1", self.broker.port(node)) for node in self.broker.nodes]
        self.proxies = Proxies(Proxy("amqp", *nodes), Proxy("database", host_and_port(self.database.url)))
        if "proxies" in self.needs:
            self.proxies.amqp.start()
            self.proxies.database.start()
        self.clock = Clock(self.run / "clock")
        self.gateway = GatewayMode(self.run / "gateway.json")
        self.workers = Fleet(self.program, self.run / "workers", self.worker_environment)
        self.witness = Witness(self.workers.folder)
        self.finality = Finality(self)
        self.http = Service(self.program, self.run, self.worker_environment)
        self._fill()
        self.workers.start(self.settings.workers)
        self.http.start()
        self.workers.wait_until_ready()

    def _fill(self) -> None:
        """Schema, hubs, keys and devices."""
        self.command("migrate")
        for hub in (*HUBS[1:], FORGETFUL):
            self.command("hubs", "create", hub)
        self.secrets = make_keys(self, (*HUBS, FORGETFUL))
        self.register(self.population.devices)

    def stop(self) -> None:
        """Ends every process of the stage, whatever has been started of it."""
        for name in ("workers", "http"):
            if hasattr(self, name):
                getattr(self, name).stop()
        if hasattr(self, "proxies"):
            self.proxies.amqp.stop()
            self.proxies.database.stop()
        if hasattr(self, "database"):
            self.broker.rejoin()
            self.database.close()
        self.stack.wipe()

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command of the program beside the proxies."""
        answer = subprocess.run(
            [str(self.program), *words], text=True, capture_output=True, env=self.base_environment(), timeout=300
        )
        if check and answer.returncode != 0:
            raise RuntimeError(f"dispatcher {' '.join(words)}: {answer.stderr[-2000:]}")
        return answer

    def base_environment(self) -> dict[str, str]:
        return dict(
            os.environ, DISPATCHER_AMQP_URL=self.broker.url, DISPATCHER_DATABASE_URL=self.database.url,
            DISPATCHER_SIMULATED_MODE_FILE=str(self.gateway.path),
            DISPATCHER_SIMULATED_GATEWAY="latency=lognormal:20ms:120ms",
        )  # fmt: skip

    def worker_environment(self) -> dict[str, str]:
        """Of workers and of the API: through the proxies, and with what the present fault wants."""
        return self.base_environment() | {
            "DISPATCHER_AMQP_URL": with_port(self.broker.url, self.proxies.amqp.port),
            "DISPATCHER_DATABASE_URL": with_port(self.database.url, self.proxies.database.port),
        } | self.extra

    def new_load(self, dice: Random, count: int, rate: float) -> Load:
        if self.load:
            self.earlier_loads = [*self.earlier_loads[-2:], self.load]
        self.load = Load(self, dice, count=count, rate=rate)
        self.load_number += 1
        return self.load

    def client(self) -> HubClient:
        """Of the API, for one thread."""
        return HubClient(self.http.address, self.secrets)

    def register(self, devices: list[Device]) -> None:
        path = self.run / "more-installations.jsonl"
        path.write_text("".join(json.dumps(device.registration()) + "\n" for device in devices), encoding="utf-8")
        self.command("installations", "import", str(path))

    def tables_with(self, text: str) -> list[str]:
        """The tables of the hub that hold this text, as such or in what is kept as bytes."""
        tables = self.database.rows(
            "select c.oid::regclass from pg_class c where relnamespace = 'dispatcher'::regnamespace and relkind = 'r'"
        )
        found = f"t::text like '%{text}%' or t::text like '%{text.encode().hex()}%'"
        return [row[0] for row in tables if self.database.value(f"select exists (select from {row[0]} t where {found})") == "t"]

    def know(self, load: Load) -> None:
        self.known_jobs |= set(load.by_id)

    def heal(self) -> None:
        """Whatever a fault has left, everything works again after this."""
        self.proxies.amqp.heal()
        self.proxies.database.heal()
        self.database.heal()
        self.broker.heal()
        self.gateway.heal()
        self.clock.true()
        self.workers.heal()
        self.http.heal()

    def drain(self, seconds: float) -> bool:
        """Waits until queues and tables are quiet, twice in a row; false when they are not in that time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.is_quiet():
                time.sleep(0.5)
                if self.is_quiet():
                    return True
            time.sleep(0.25)
        return False

    def is_quiet(self) -> bool:
        return self.unfinished() == 0 and queues.ready(self.broker.url, *queues.WORK) == 0 and not self.unheard()

    def unfinished(self) -> int | None:
        """How many rows of work there are; nothing while the database does not say."""
        try:
            return int(self.database.value(UNFINISHED))
        except (Refused, OSError, IndexError):
            return None

    def unheard(self) -> set[str]:
        """The confirmed jobs that are neither a notification nor a dead letter."""
        missing = self.load.acknowledged() if self.load else set()
        if missing:
            ids = ",".join(f"'{job}'" for job in missing)
            missing -= {row[0] for row in self.database.rows(
                f"select job_id::text from dispatcher.notification where job_id in ({ids})"
                f" union select message_id from dispatcher.dead_letter where message_id in ({ids})"
            )}  # fmt: skip
        return missing

"""The jobs of one fault, made from dice: what is sent, to whom, and what must become of it."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass, field, replace
from random import Random

from poison import CORPUS
from population import LANGUAGES, SEGMENTS, Device, Population, audience

LANES = ("high", "normal", "normal", "bulk")
# Kinds by how often they come; the rest are for one user.
SHARES = {
    "group": 0.05, "scheduled": 0.05, "twice": 0.04, "conflict": 0.03, "poison": 0.04, "cancelled": 0.02,
    "expired": 0.02, "once": 0.03,
}  # fmt: skip
PRIORITIES = {"high": "high", "normal": "normal", "bulk": "low"}
GIVEN_UP_SHARE = 0.15  # how many are published once, whatever the broker says


@dataclass
class Job:
    """One job that is published, and what is known of it."""

    id: str
    kind: str
    hub: str
    body: bytes
    lane: str = "normal"
    over_http: bool = False
    copies: int = 1
    rival: bytes | None = None  # another body under the same id
    audience: frozenset[str] = frozenset()  # installation ids that must be addressed
    maybe: frozenset[str] = frozenset()  # and those that may be
    reason: str | None = None  # of the dead letter that it must become
    insists: bool = True  # publishes again until it is confirmed
    attempted: bool = False
    acknowledged: bool = False
    rival_acknowledged: bool = False
    cancelled: bool = False  # the hub has said so


@dataclass
class JobMaker:
    """Makes jobs; the same dice, the same jobs."""

    population: Population
    dice: Random
    started: float = field(default_factory=time.time)
    number: int = 0

    def mixture(self, count: int) -> list[Job]:
        """One broadcast among so many jobs of all kinds."""
        jobs = [self.make(self._kind()) for _ in range(count - 1)]
        jobs.insert(self.dice.randrange(count // 4, 3 * count // 4), self.make("broadcast"))
        return jobs

    def make(self, kind: str) -> Job:
        return getattr(self, f"_{kind}")()

    def many(self, kind: str, count: int, **changes: object) -> list[Job]:
        """So many of a kind, each with these of its members changed."""
        return [replace(self.make(kind), **changes) for _ in range(count)]

    def every_poison(self) -> list[Job]:
        return [self._poison(index) for index in range(len(CORPUS))]

    def _kind(self) -> str:
        draw = self.dice.random()
        for kind, share in SHARES.items():
            if draw < share:
                return kind
            draw -= share
        return "single"

    def _single(self, kind: str = "single", **options: object) -> Job:
        hub = "side" if self.dice.random() < 0.2 else "default"
        user = self.dice.choice(self.population.users(hub))
        to = self.dice.choice(({"users": [user]}, {"tags": f"username:{user}"}))
        devices = [device for device in self.population.of_hub(hub) if device.user == user]
        return self._job(kind, hub, to, devices, options, over_http=self.dice.random() < 0.15)

    def _group(self) -> Job:
        language, segment = self.dice.choice(LANGUAGES), self.dice.randrange(SEGMENTS)
        tags, matches = self.dice.choice((
            (f"segment:{segment}", lambda t: f"segment:{segment}" in t),
            (f"lang:{language} && news && !muted", lambda t: {f"lang:{language}", "news"} <= t and "muted" not in t),
            (f"(sports || segment:{segment}) && !lang:{language}",
             lambda t: ("sports" in t or f"segment:{segment}" in t) and f"lang:{language}" not in t),
        ))  # fmt: skip
        devices = [device for device in self.population.of_hub("default") if matches(device.tags)]
        return self._job("group", "default", {"tags": tags}, devices, {})

    def _broadcast(self) -> Job:
        return self._job("broadcast", "default", {"broadcast": True}, self.population.of_hub("default"), {}, "bulk")

    def _scheduled(self) -> Job:
        return self._single("scheduled", sendAt=_time(self.started + self.dice.uniform(2, 8)))

    def _cancelled(self) -> Job:
        job = self._single("cancelled", sendAt=_time(self.started + 3600))
        job.over_http = job.insists = True
        return job

    def _expired(self) -> Job:
        job = self._single("expired", expiresAt="2020-01-01T00:00:00Z")
        job.over_http = False  # the API refuses it
        return job

    def _once(self) -> Job:
        return self._single("once", guarantee="at-most-once")

    def _once_group(self) -> Job:
        job = self._group()
        document = json.loads(job.body) | {"options": {"guarantee": "at-most-once"}}
        return replace(job, kind="once", body=json.dumps(document).encode())

    def probe(self, platform: str) -> Job:
        """An urgent one for a device that is well."""
        devices = [d for d in self.population.of_hub("default") if d.script == "ok" and not d.is_denied]
        device = self.dice.choice([d for d in devices if platform in ("*", d.platform)])
        job = self._job("single", "default", {"installations": [device.id]}, [device], {}, lane="high")
        return replace(job, insists=True)

    def to_device(self, device: Device) -> Job:
        return replace(self._job("single", device.hub, {"installations": [device.id]}, [device], {}), lane="normal", insists=True)

    def to_hub(self, hub: str, to: dict[str, object], maybe: frozenset[str], lane: str = "normal") -> Job:
        """For devices that are none of the population's."""
        return replace(self._job("foreign", hub, to, [], {}, lane), maybe=maybe)

    def _twice(self) -> Job:
        job = self._single("twice")
        job.copies, job.over_http = self.dice.randint(2, 10), False
        return job

    def _conflict(self) -> Job:
        job = self._single("conflict")
        job.rival = job.body.replace(b'"title": "', b'"title": "Another ')
        job.over_http, job.insists = False, True
        return job

    def _poison(self, index: int | None = None) -> Job:
        _, body, reason = CORPUS[self.dice.randrange(len(CORPUS)) if index is None else index]
        job_id = self._id()
        return Job(job_id, "poison", "default", body(job_id), self.dice.choice(LANES), reason=reason)

    def _job(
        self, kind: str, hub: str, to: dict[str, object], devices: list[Device], options: dict[str, object],
        lane: str | None = None, over_http: bool = False,
    ) -> Job:  # fmt: skip
        job_id = self._id()
        lane = lane or self.dice.choice(LANES)
        document: dict[str, object] = {"id": job_id, "hub": hub, "to": to}
        document["content"] = {"title": f"{self.population.canary} {self.number}", "body": kind}
        if over_http:
            options = options | {"priority": PRIORITIES[lane]}
        if options:
            document["options"] = options
        sure, maybe = audience(devices)
        insists = self.dice.random() >= GIVEN_UP_SHARE
        body = json.dumps(document).encode()
        return Job(job_id, kind, hub, body, lane, over_http, audience=sure, maybe=maybe, insists=insists)

    def _id(self) -> str:
        self.number += 1
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

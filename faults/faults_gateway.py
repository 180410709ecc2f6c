"""Gateways that are overloaded, refuse, say nonsense, say nothing, or take a push and break off."""

from __future__ import annotations

import time
from random import Random

from fault import Fault, fault
from jobs import Job
from load import Load
from stage import Stage


WINDOW = 3.2  # the guard looks at three seconds
AGREEMENT = 8.0  # and waits until all workers have told what they saw, which they do once a second
WORKERS = 8
LEAST_DEAD = 50  # what one worker has to see to stop the channel alone


class GatewayFault(Fault):
    """All of the load goes into the trouble, which lasts some seconds."""

    reference = ("F19",)
    ambiguous = True
    mode: dict[str, object] = {}
    seconds = 15.0
    heal_patience = 30  # a pause may have grown to half a minute
    patience = 240

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.1, 0.3))
        began = time.monotonic()
        stage.gateway.set(self.platform, **self.mode)
        self.during(stage)
        time.sleep(max(0.0, self.seconds - (time.monotonic() - began)))

    def during(self, stage: Stage) -> None:
        """While it lasts."""


def stopped(stage: Stage, cause: str) -> list[list[str]]:
    return stage.database.rows(f"select hub, platform, state from dashboard.channels where cause = '{cause}'")


@fault
class Unavailable(GatewayFault):
    """every gateway answers 503: channels stop within seconds and come back by themselves"""

    name = "gateway-unavailable"
    mode = {"answer": "unavailable"}

    def during(self, stage: Stage) -> None:
        time.sleep(8)
        self.channels = stopped(stage, "unavailable")

    def check(self, stage: Stage) -> list[str]:
        return [] if self.channels else ["no channel was stopped within 8 s of a storm of 503"]


@fault
class PartlyUnavailable(GatewayFault):
    """three of ten pushes are answered 503"""

    name = "gateway-unavailable-share"
    mode = {"answer": "unavailable", "share": 0.3}


@fault
class Throttled(GatewayFault):
    """every gateway answers 429 with Retry-After: 3"""

    name = "gateway-throttled"
    mode = {"answer": "throttled", "retryAfter": 3}


@fault
class Refused(GatewayFault):
    """Apple refuses the credential: its channels stop, nothing is burned, the others go on"""

    name = "gateway-refused"
    reference = ("F21", "I10")
    platform = probed = "apns"
    mode = {"answer": "refuse"}
    seconds = 20
    patience = 420

    def during(self, stage: Stage) -> None:
        size = stage.witness.size()
        time.sleep(8)
        self.grown = stage.witness.size() - size
        self.channels = stopped(stage, "refused")

    def check(self, stage: Stage) -> list[str]:
        wrong = [] if self.channels else ["no channel was stopped"]
        return wrong if self.grown else [*wrong, "the other platforms stood still"]


@fault
class Dead(GatewayFault):
    """Google calls every device dead, and of eight workers each sees a few: the channel stops, the devices are restored"""

    name = "gateway-dead"
    reference = ("F22",)
    platform = "fcmV1"
    probed = "apns"
    mode = {"answer": "dead"}
    may_be_unfinished = True
    patience = 300
    jobs = 80
    rate = 10

    def add_jobs(self, stage: Stage, load: Load) -> None:
        # What is planned before the devices are restored does not find them; a broadcast would show one worker enough.
        self.away = frozenset(device.id for device in stage.population.devices if device.platform == self.platform)
        load.replace([job for job in load.jobs if job.kind != "broadcast"])
        for job in load.jobs:
            self._excuse(job)

    def _excuse(self, job: Job) -> None:
        job.maybe |= job.audience & self.away
        job.audience -= self.away

    def prepare(self, stage: Stage) -> None:
        self.usual = len(stage.workers)
        stage.workers.scale(WORKERS)
        stage.workers.wait_until_ready()

    def during(self, stage: Stage) -> None:
        time.sleep(WINDOW)
        devices = [device for device in stage.population.of_hub("default") if device.id in self.away]
        jobs = [stage.load.maker.to_device(device) for device in devices]
        for job in jobs:
            self._excuse(job)
        stage.load.publish_in_turn(jobs, 10)
        time.sleep(AGREEMENT)
        self.channels = stopped(stage, "dead")
        self.seen = [int(row[0]) for row in stage.database.rows(
            "select sum(dead) from dispatcher.channel_answers group by worker_id having sum(dead) > 0"
        )]  # fmt: skip

    def heal(self, stage: Stage) -> None:
        stage.gateway.heal()
        stage.workers.scale(self.usual)

    def check(self, stage: Stage) -> list[str]:
        wrong = [] if self.channels else [f"no channel was stopped; the workers saw {self.seen} dead devices"]
        if len(self.seen) < 2 or max(self.seen) >= LEAST_DEAD:
            wrong.append(f"the dead devices were not spread out: {self.seen}")
        devices = [device for device in stage.population.devices if device.platform == self.platform and device.is_well]
        retired = {row[0] for row in stage.database.rows(
            "select installation_id from dashboard.installations where retired_at is not null and platform = 'fcmV1'"
        )}  # fmt: skip
        lost = sorted(device.id for device in devices if device.hub == "default" and device.id in retired)
        # The other hub has fewer than the fifty that the guard needs; whoever is lost comes again for the next fault.
        stage.register(devices)
        return [*wrong, f"{len(lost)} devices stay retired: {lost[:5]}"] if lost else wrong


@fault
class Hang(GatewayFault):
    """half of the pushes are never answered"""

    name = "gateway-hang"
    reference = ("F18",)
    mode = {"answer": "hang", "share": 0.5}
    seconds = 14
    kills = 3


@fault
class Drop(GatewayFault):
    """connections break before the answer; nothing was taken"""

    name = "gateway-drop"
    reference = ("F20",)
    mode = {"answer": "drop", "share": 0.5}
    kills = 3


@fault
class AcceptThenDrop(GatewayFault):
    """pushes are taken and the connection breaks before the answer: flagged, and sent again"""

    name = "gateway-accept-then-drop"
    reference = ("F20",)
    mode = {"answer": "accept-then-drop", "share": 0.3}
    kills = 3


@fault
class Slow(GatewayFault):
    """one gateway takes four seconds for each answer: the others do not wait for it"""

    name = "gateway-slow"
    reference = ("F18", "I10")
    platform = "apns"
    mode = {"answer": "ok", "latencyMs": 4000}
    ambiguous = False

    def during(self, stage: Stage) -> None:
        size = stage.witness.size()
        time.sleep(2.5)
        self.grown = stage.witness.size() - size

    def check(self, stage: Stage) -> list[str]:
        return [] if self.grown else ["the other platforms stood still"]

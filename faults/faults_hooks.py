"""Workers that end themselves at a chosen point, by the debug program's hooks."""

from __future__ import annotations

import time
from random import Random
from typing import Callable

from fault import Fault, fault
from listener import Listener
from faults_workers import LEASE
from load import Load
from process import wait_until
from stage import Stage

POINTS = (
    "decoded", "planned", "acknowledged", "pageWritten", "pagePublished", "announced", "claimed", "claimAcknowledged",
    "sent", "recorded", "retriesTaken", "letterWritten", "letterPublished", "registered", "receiptsWritten", "told",
)  # fmt: skip
MARKER = "crash-on-this"
PUSH_MARKER = "crash-when-sent"

LOST_WORKERS = "select count(*) from dispatcher.worker where lease_until < clock_timestamp()"


def crash_once(stage: Stage, share: float, seconds: float, provoke: Callable[[], None] = lambda: None) -> bool:
    """Arms the point when so much of the load has been tried; answers whether a worker has ended there within the time."""
    arm = stage.run / "crash"
    stage.load.wait_for_share(share)
    arm.touch()
    provoke()
    return wait_until(lambda: not arm.exists(), seconds)


class CrashAt(Fault):
    """a worker ends between two steps, at this point, while jobs come in"""

    needs = ("hooks",)
    reference = ("F1", "F14")
    ambiguous = True
    kills = 3
    point = ""

    def environment(self, stage: Stage) -> dict[str, str]:
        return {"DISPATCHER_FAULT_CRASH_AT": self.point, "DISPATCHER_FAULT_CRASH_ARM": str(self._arm(stage))}

    def _arm(self, stage: Stage):
        return stage.run / "crash"

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.may_crash = True
        self.crashed = 0
        with stage.workers.supervised():
            for share in (0.2, 0.4, 0.6):
                self.crashed += crash_once(stage, share * dice.uniform(0.8, 1.2), 20)

    def heal(self, stage: Stage) -> None:
        self._arm(stage).unlink(missing_ok=True)
        time.sleep(0.2)

    def check(self, stage: Stage) -> list[str]:
        return [] if self.crashed else [f"no worker came to the point “{self.point}”"]


@fault
class CrashAtSentLate(CrashAt):
    """a worker ends at the point “sentLate”: a slow gateway has answered when the rest of its batch is recorded already"""

    name = "crash-at-sentLate"
    point = "sentLate"
    heal_patience = 30
    patience = 240

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.gateway.set("apns", answer="ok", latencyMs=6000)
        super().strike(stage, dice)


@fault
class CrashAtRescued(CrashAt):
    """a worker ends at the point “rescued”: a killed worker's batches are free again, and nobody has heard of them"""

    name = "crash-at-rescued"
    point = "rescued"
    kills = 6
    heal_patience = 30
    patience = 240

    def strike(self, stage: Stage, dice: Random) -> None:
        # So that whoever is killed has something in hand, on a quick machine too.
        stage.gateway.set(answer="ok", latencyMs=1500)
        stage.may_crash = True
        self.crashed = 0
        with stage.workers.supervised():
            for share in (0.2, 0.5, 0.8):
                self.crashed += crash_once(
                    stage, share, 3 * LEASE, lambda: stage.workers.kill(dice.randrange(len(stage.workers)))
                )


for _point in POINTS:
    fault(type(f"CrashAt_{_point}", (CrashAt,), {
        "name": f"crash-at-{_point}", "point": _point, "__doc__": f"a worker ends at the point “{_point}”, three times",
    }))  # fmt: skip


@fault
class CrashingPoison(Fault):
    """a message that crashes whoever reads it: filed after some tries, its neighbours are delivered"""

    name = "crashing-poison"
    reference = ("F26",)
    needs = ("hooks",)
    ambiguous = True
    kills = 20

    def environment(self, stage: Stage) -> dict[str, str]:
        # Printing a trace takes longer than the crash.
        return {"DISPATCHER_FAULT_CRASH_ON": MARKER, "SWIFT_BACKTRACE": "enable=no"}

    def add_jobs(self, stage: Stage, load: Load) -> None:
        poison = load.maker.many("single", 2, over_http=False, insists=True)
        for place, job in enumerate(poison):
            job.kind, job.reason = "poison", "crashesWorkers"
            job.body = job.body.replace(b'"title": "', f'"title": "{MARKER} '.encode())
            load.jobs.insert((place + 1) * len(load.jobs) // 3, job)
        load.replace(load.jobs)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.may_crash = True
        ids = ",".join(f"'{job.id}'" for job in stage.load.jobs if job.reason == "crashesWorkers")
        filed = f"select count(*) from dispatcher.dead_letter where message_id in ({ids})"
        with stage.workers.supervised():
            stage.load.wait_for_share(1)
            wait_until(lambda: stage.database.value(filed) == "2", 90, pause=0.5)


@fault
class CrashingRender(Fault):
    """jobs that crash whoever sends them, when their messages are long acknowledged: ended as failed, others are delivered"""

    name = "crashing-render"
    reference = ("F26",)
    needs = ("hooks",)
    ambiguous = True
    kills = 20
    # Two crashes among others, then alone: with the batch, with a piece of it, and twice with each of two devices.
    most = {"single": 7, "group": 8}

    def environment(self, stage: Stage) -> dict[str, str]:
        return {"DISPATCHER_FAULT_CRASH_ON_PUSH": PUSH_MARKER, "SWIFT_BACKTRACE": "enable=no"}

    def add_jobs(self, stage: Stage, load: Load) -> None:
        self.poison = []
        for kind in self.most:
            job = load.maker.many(kind, 1, over_http=False, insists=True)[0]
            job.kind = "crashing"
            job.body = job.body.replace(b'"title": "', f'"title": "{PUSH_MARKER} '.encode())
            load.jobs.insert(len(load.jobs) // 3, job)
            self.poison.append(job)
        load.replace(load.jobs)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.may_crash = True
        before = int(stage.database.value(LOST_WORKERS))
        ids = ",".join(f"'{job.id}'" for job in self.poison)
        ended = f"select count(*) from dashboard.notifications where finished_at is not null and id in ({ids})"
        with stage.workers.supervised():
            stage.load.wait_for_share(1)
            # Whoever tries one alone and crashes is missed when its lease has ended, each time.
            wait_until(lambda: stage.database.value(ended) == str(len(self.poison)), 420, pause=0.5)
        self.crashes = int(stage.database.value(LOST_WORKERS)) - before

    def check(self, stage: Stage) -> list[str]:
        wrong = []
        for job in self.poison:
            rows = stage.database.rows(
                f"select state, reason from dashboard.deliveries where notification_id = '{job.id}' and state <> 'suppressed'"
            )
            if not rows or any(row != ["failed", "CrashesWorkers"] for row in rows):
                wrong.append(f"{job.id} has not ended as one that crashes workers: {rows[:5]}")
        ids = ",".join(f"'{job.id}'" for job in stage.load.jobs if job not in self.poison)
        innocent = stage.database.rows(
            f"select notification_id from dashboard.deliveries where reason = 'CrashesWorkers' and notification_id in ({ids})"
        )
        wrong += [f"{row[0]} is innocent, and failed as one that crashes workers" for row in innocent]
        if not 4 <= self.crashes <= sum(self.most.values()):
            wrong.append(f"{self.crashes} workers crashed")
        return wrong


@fault
class RelayKilled(Fault):
    """the worker that tells events ends between the broker's confirm and its own note of it: told twice, never not at all"""

    name = "relay-crash"
    reference = ("F32",)
    needs = ("hooks",)
    ambiguous = True
    kills = 3

    def environment(self, stage: Stage) -> dict[str, str]:
        arm = stage.run / "crash"
        return {
            "DISPATCHER_EVENTS": "all", "DISPATCHER_FAULT_CRASH_AT": "told", "DISPATCHER_FAULT_CRASH_ARM": str(arm)
        }

    def prepare(self, stage: Stage) -> None:
        self.listener = Listener(lambda: stage.broker.url, "relay")
        self.listener.start()

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.may_crash = True
        with stage.workers.supervised():
            for share in (0.2, 0.4, 0.6):
                crash_once(stage, share, 30)

    def heal(self, stage: Stage) -> None:
        (stage.run / "crash").unlink(missing_ok=True)

    def check(self, stage: Stage) -> list[str]:
        ids = ",".join(f"'{job.id}'" for job in stage.load.jobs)
        ended = {tuple(row) for row in stage.database.rows(
            "select notification_id, installation_id, state from dashboard.deliveries"
            f" where notification_id in ({ids}) and state in ('accepted', 'failed', 'expired', 'suppressed')"
        )}  # fmt: skip
        wait_until(lambda: not ended - self._told(), 10, pause=0.5)
        self.listener.stop()
        missing = ended - self._told()
        wrong = [f"{len(missing)} ends were not told: {sorted(missing)[:5]}"] if missing else []
        return wrong if any(count > 1 for count in self.listener.ids.values()) else [*wrong, "no event came twice"]

    def _told(self) -> set[tuple[str, str, str]]:
        return {
            (event["data"].get("notificationId"), event["data"].get("installationId"), event["type"].rsplit(".", 1)[-1])
            for event in self.listener.events
        }

"""Workers that are killed, stopped, frozen, replaced."""

from __future__ import annotations

import subprocess
import time
from random import Random

from fault import Fault, fault
from load import Load
from stage import Stage

LEASE = 15


def clean_ends(statuses: list[int | None]) -> list[str]:
    """What is wrong when workers that were asked to end did not do so with status 0."""
    return [] if set(statuses) == {0} else [f"the workers ended with {statuses}"]


@fault
class KillOne(Fault):
    """kill -9 of one worker in the middle of the load"""

    name = "worker-kill"
    reference = ("F1",)
    ambiguous = True
    kills = 1

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.7))
        stage.workers.kill(dice.randrange(len(stage.workers)))


@fault
class KillAll(Fault):
    """kill -9 of all workers at the same moment; they are started again two seconds later"""

    name = "worker-kill-all"
    reference = ("F1",)
    ambiguous = True
    kills = 3

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.7))
        for place in range(len(stage.workers)):
            stage.workers.kill(place)
        time.sleep(2)


@fault
class KillMany(Fault):
    """50 times kill -9 of a random worker, each at a random moment"""

    name = "worker-kills"
    reference = ("F1",)
    ambiguous = True
    kills = 50
    jobs = 1500
    patience = 240

    def strike(self, stage: Stage, dice: Random) -> None:
        with stage.workers.supervised():
            for number in range(self.kills):
                stage.load.wait_for_share((number + dice.random()) / (self.kills + 1))
                stage.workers.kill(dice.randrange(len(stage.workers)))
                time.sleep(dice.uniform(0.1, 0.4))


@fault
class KillAtMostOnce(Fault):
    """kill -9 while all jobs are at-most-once: what is open is closed as unknown, nothing is sent twice"""

    name = "worker-kill-at-most-once"
    reference = ("F1", "I3")
    ambiguous = True
    kills = 4

    def add_jobs(self, stage: Stage, load: Load) -> None:
        load.replace(load.maker.many("once", len(load.jobs)) + load.maker.many("once_group", 20))

    def strike(self, stage: Stage, dice: Random) -> None:
        with stage.workers.supervised():
            for number in range(self.kills):
                stage.load.wait_for_share((number + dice.random()) / (self.kills + 1))
                stage.workers.kill(dice.randrange(len(stage.workers)))
                time.sleep(0.5)


@fault
class Terminate(Fault):
    """SIGTERM of one worker under load: exit status 0, nothing ambiguous"""

    name = "worker-term"
    reference = ("F2",)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.7))
        self.status = stage.workers.end(dice.randrange(len(stage.workers)))

    def check(self, stage: Stage) -> list[str]:
        return [] if self.status == 0 else [f"the worker ended with status {self.status}"]


@fault
class TerminateTwice(Fault):
    """a second SIGTERM: the worker leaves at once and others take over what it releases"""

    name = "worker-term-twice"
    reference = ("F2",)
    ambiguous = True
    kills = 1

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.3, 0.7))
        place = dice.randrange(len(stage.workers))
        began = time.monotonic()
        stage.workers.term(place)
        time.sleep(0.1)
        self.status = stage.workers.end(place)
        self.seconds = time.monotonic() - began

    def check(self, stage: Stage) -> list[str]:
        return [] if self.seconds < 10 else [f"the worker took {self.seconds:.1f} s to leave"]


@fault
class TerminateWithoutDatabase(Fault):
    """SIGTERM while the database is frozen: the worker ends by itself, others finish its work"""

    name = "worker-term-no-database"
    reference = ("F2", "F15")
    ambiguous = True
    kills = 3
    patience = 180

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.6))
        stage.database.freeze()
        place = dice.randrange(len(stage.workers))
        stage.workers.term(place)
        began = time.monotonic()
        self.status = stage.workers.places[place].wait(60)
        self.seconds = time.monotonic() - began

    def heal(self, stage: Stage) -> None:
        stage.database.thaw()

    def check(self, stage: Stage) -> list[str]:
        return ["the worker did not end"] if self.status is None else []


@fault
class Freeze(Fault):
    """SIGSTOP for longer than the lease, then SIGCONT: what the worker writes then is too late"""

    name = "worker-freeze"
    reference = ("F2", "I4")
    ambiguous = True
    kills = 1

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.6))
        place = dice.randrange(len(stage.workers))
        stage.workers.freeze(place)
        time.sleep(LEASE + 5)
        stage.workers.thaw(place)


@fault
class FreezeShortly(Fault):
    """SIGSTOP for less than the lease: nothing is rescued, nothing ambiguous"""

    name = "worker-freeze-short"
    reference = ("F2",)

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.6))
        place = dice.randrange(len(stage.workers))
        stage.workers.freeze(place)
        time.sleep(4)
        stage.workers.thaw(place)


@fault
class RollingRestart(Fault):
    """every worker is replaced, one after the other, under load: nothing ambiguous"""

    name = "worker-rolling-restart"
    reference = ("F2",)
    jobs = 600

    def strike(self, stage: Stage, dice: Random) -> None:
        self.statuses = []
        for place in range(len(stage.workers)):
            stage.load.wait_for_share((place + 0.5) / (len(stage.workers) + 1))
            self.statuses.append(stage.workers.end(place))
            stage.workers.restart(place)

    def check(self, stage: Stage) -> list[str]:
        return clean_ends(self.statuses)


@fault
class Scale(Fault):
    """1, then 8, then 1 worker while jobs come in: nothing ambiguous"""

    name = "worker-scale"
    reference = ("F30",)
    jobs = 900

    def strike(self, stage: Stage, dice: Random) -> None:
        usual = len(stage.workers)
        before = len(stage.workers.statuses)
        for share, count in ((0.1, 1), (0.3, 8), (0.7, 1)):
            stage.load.wait_for_share(share)
            stage.workers.scale(count)
        self.statuses = stage.workers.statuses[before:]
        stage.workers.scale(usual)

    def check(self, stage: Stage) -> list[str]:
        return clean_ends(self.statuses)


@fault
class StartTogether(Fault):
    """8 workers and 12 migrations start at the same moment"""

    name = "start-together"
    reference = ("F28",)

    def strike(self, stage: Stage, dice: Random) -> None:
        usual = len(stage.workers)
        stage.load.wait_for_share(0.3)
        migrations = [
            subprocess.Popen(
                [str(stage.program), "migrate"], env=stage.base_environment(), stderr=subprocess.PIPE, text=True
            )
            for _ in range(12)
        ]
        stage.workers.start(8)
        self.failures = [text for process in migrations if (text := _failure(process))]
        stage.workers.wait_until_ready()
        self.alive = len(stage.workers.alive())
        self.wanted = len(stage.workers)
        stage.load.wait_for_share(0.8)
        stage.workers.scale(usual)

    def check(self, stage: Stage) -> list[str]:
        wrong = [f"a migration failed: {text[-200:]}" for text in self.failures]
        return wrong if self.alive == self.wanted else [*wrong, f"{self.alive} of {self.wanted} workers started"]


def _failure(process: subprocess.Popen[str]) -> str | None:
    _, errors = process.communicate(timeout=60)
    return errors if process.returncode != 0 else None

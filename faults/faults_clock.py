"""Workers whose wall clock is wrong, while the servers' is right."""

from __future__ import annotations

import time
from random import Random

from fault import fault
from lasting import Lasting
from stage import Stage

HOUR = 3600
FAR = 400 * 24 * HOUR


class ClockFault(Lasting):
    """Leases, pauses and expiry go by the database's clock and the monotonic one: nothing ends early, or at once."""

    reference = ("F23",)
    needs = ("clock", "proxies")
    seconds = 20

    def environment(self, stage: Stage) -> dict[str, str]:
        return stage.clock.environment()

    def heal(self, stage: Stage) -> None:
        stage.clock.true()

    def check(self, stage: Stage) -> list[str]:
        """No lease has ended before its time, so nothing was rescued."""
        wrong = super().check(stage)
        rescued = sum(process.logged().count("event=batches.rescued") for process in stage.workers.places)
        if rescued:
            wrong.append(f"batches were rescued {rescued} times, and nobody had died")
        return wrong


class Jump(ClockFault):
    by = 0

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.clock.jump(self.by)


@fault
class Forward(Jump):
    """The clock goes an hour fast, and is put right again."""

    name = "clock-hour-fast"
    by = HOUR


@fault
class Back(Jump):
    """The clock goes an hour slow, and is put right again."""

    name = "clock-hour-slow"
    by = -HOUR


@fault
class VeryFar(Jump):
    """The clock goes 400 days fast, and is put right again."""

    name = "clock-400-days-fast"
    by = FAR


@fault
class Leaping(ClockFault):
    """The clock jumps to and fro."""

    name = "clock-leaping"

    def begin(self, stage: Stage, dice: Random) -> None:
        while time.monotonic() < self.began + self.seconds:
            stage.clock.jump(dice.choice((HOUR, -HOUR, FAR, -FAR, 0)))
            time.sleep(dice.uniform(1, 4))


@fault
class Standing(ClockFault):
    """The clock stands."""

    name = "clock-standing"

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.clock.freeze()

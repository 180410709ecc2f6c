"""Workers that are killed, stopped, frozen, replaced."""

from __future__ import annotations

from random import Random

from fault import Fault, fault
from stage import Stage


@fault
class KillOne(Fault):
    name = "worker-kill"
    reference = ("F1",)
    ambiguous = True
    kills = 1

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(dice.uniform(0.2, 0.7))
        stage.workers.kill(dice.randrange(len(stage.workers)))

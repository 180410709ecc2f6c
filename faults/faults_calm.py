"""No fault at all: what must hold without one, and the proof that the checks can fail."""

from __future__ import annotations

from random import Random

from fault import Fault, fault
from invariants import judge_tables
from stage import Stage
from tampering import Tampering
from verdict import Verdict


@fault
class Calm(Fault):
    """nothing breaks; then one thing after the other is spoiled in the tables, and each must be complained of"""

    name = "calm"
    reference = ("-",)
    jobs = 100

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(1)

    def check(self, stage: Stage) -> list[str]:
        return [f"this was spoiled and not seen: {name}" for name in Tampering(stage, self._judge).unseen()]

    def _judge(self, stage: Stage, verdict: Verdict) -> None:
        judge_tables(stage, self, verdict)

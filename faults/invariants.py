"""All that is judged by tables and gateways, for one fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker import Checker
from ledgers import check_receipts, check_tables
from verdict import Verdict

if TYPE_CHECKING:
    from fault import Fault
    from stage import Stage


def judge_tables(stage: Stage, fault: Fault, verdict: Verdict) -> None:
    Checker(stage, fault, verdict).check()
    stage.finality.check(verdict)
    check_tables(stage, verdict, may_differ=fault.ambiguous or fault.loses_confirms)
    check_receipts(stage, verdict)

"""The jobs of one fault, published while it strikes."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stage import Stage


@dataclass
class Job:
    """One job that was published, or that was tried."""

    id: str
    kind: str  # "single", "group", "broadcast", "scheduled", "conflict", "poison", "cancelled"
    body: bytes
    lane: str = "normal"
    audience: frozenset[str] = frozenset()  # installation ids that must get it
    maybe: frozenset[str] = frozenset()  # and those that may: their device may have been retired meanwhile
    attempted: bool = False
    acknowledged: bool = False
    reason: str | None = None  # of the dead letter that it must become


@dataclass
class Load:
    """Publishes the same jobs for the same seed, at an even pace, with confirms."""

    stage: Stage
    dice: Random
    jobs: list[Job] = field(default_factory=list)

    def begin(self) -> None:
        """Publishes in the background until all jobs are acknowledged or given up."""

    def wait_for_share(self, share: float) -> None:
        """Until so much of it has been tried."""

    def finish(self) -> None:
        """Waits until every job has been tried to the end."""

    def attempted(self) -> set[str]:
        return {job.id for job in self.jobs if job.attempted}

    def acknowledged(self) -> set[str]:
        return {job.id for job in self.jobs if job.acknowledged}

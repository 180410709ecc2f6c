"""What a fault is, and the list of all of them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from load import Load
    from stage import Stage


class Fault:
    """One way in which something breaks. A campaign calls prepare, begins the load, then strike, heal and, when everything is
    quiet, check; the invariants that hold for all faults are the checker's."""

    name: str = ""
    reference: tuple[str, ...] = ()
    ambiguous: bool = False  # may leave ambiguous deliveries, which may be accepted twice
    loses_confirms: bool = False  # of the broker, so that dead letters may lie in push.dead twice
    may_be_unfinished: bool = False  # deliveries may end as failed or expired although their device is well
    needs: tuple[str, ...] = ()  # of the stage: "proxies", "cluster", "standby", "clock", "small-disk", "hooks"
    jobs: int | None = None  # how many the load has, when not as many as usual
    rate: float = 60  # jobs in a second
    patience: float = 120  # seconds until everything must be quiet after it
    heal_patience: float = 0  # seconds that the first push after it may take besides the usual 15
    platform: str = "*"  # the gateway that is in trouble
    probed: str = "*"  # the one that the first push after it goes to
    kills: int = 0  # how many workers it kills: each may leave 1,000 deliveries ambiguous

    def environment(self, stage: Stage) -> dict[str, str]:
        """What the workers' environment has besides the usual, from prepare until the next fault."""
        return {}

    def prepare(self, stage: Stage) -> None:
        """Before the load begins."""

    def add_jobs(self, stage: Stage, load: Load) -> None:
        """More jobs than the usual mixture, or others."""

    def strike(self, stage: Stage, dice: Random) -> None:
        """Begins the fault while jobs come in; may last as long as the fault does."""
        raise NotImplementedError

    def heal(self, stage: Stage) -> None:
        """Ends it. Nothing that is broken here may stay so."""

    def check(self, stage: Stage) -> list[str]:
        """What is wrong, beyond what the checker finds for every fault: one sentence each."""
        return []


_faults: dict[str, type[Fault]] = {}


def fault(cls: type[Fault]) -> type[Fault]:
    """Lists a class of fault by its name."""
    if not cls.name or cls.name in _faults:
        raise ValueError(f"{cls.__name__} needs a name of its own")
    _faults[cls.name] = cls
    return cls


def all_faults() -> dict[str, type[Fault]]:
    """Every listed fault by its name, in the order in which the modules list them."""
    return dict(_faults)

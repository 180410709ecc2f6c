"""What became of one fault: the seven counters, the times, and everything that is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

MOST_SHOWN = 12


@dataclass
class Verdict:
    """One row of the table."""

    fault: str
    reference: tuple[str, ...]
    round: int
    attempted: int = 0  # jobs that were published, or tried
    acknowledged: int = 0  # jobs whose publish was confirmed
    lost: int = 0  # confirmed, and neither a notification nor a dead letter
    unexpected: int = 0  # in the tables or at a gateway, and nobody asked for it
    duplicated: int = 0  # pushes that a gateway has accepted more than once
    recovered: int = 0  # not confirmed, and yet there
    ambiguous: int = 0  # deliveries that are flagged as maybe sent before
    deliveries: int = 0
    heal_seconds: float | None = None  # from the end of the fault to the next accepted push
    quiet_seconds: float | None = None  # from the end of the fault until nothing was left to do
    wrong: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.wrong

    def complain(self, sentence: str, ids: object = ()) -> None:
        """Adds a violation, with the first ids that show it."""
        ids = sorted(map(str, ids))
        shown = ", ".join(ids[:MOST_SHOWN]) + (" …" if len(ids) > MOST_SHOWN else "")
        self.wrong.append(f"{sentence}: {shown}" if shown else sentence)

    def document(self) -> dict[str, object]:
        return asdict(self) | {"holds": self.holds}

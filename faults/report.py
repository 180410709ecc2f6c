"""The table of a campaign."""

from __future__ import annotations

import json
from pathlib import Path

from verdict import Verdict

COLUMNS = ("attempted", "acknowledged", "lost", "unexpected", "duplicated", "recovered", "ambiguous", "deliveries")
HEAD = ("fault", "of", *COLUMNS, "heal s", "quiet s", "verdict")


def cells(verdict: Verdict) -> list[str]:
    name = verdict.fault if verdict.round == 1 else f"{verdict.fault} ({verdict.round})"
    counts = [str(getattr(verdict, column)) for column in COLUMNS]
    times = ["-" if value is None else f"{value:.1f}" for value in (verdict.heal_seconds, verdict.quiet_seconds)]
    return [name, " ".join(verdict.reference) or "-", *counts, *times, "holds" if verdict.holds else "BROKEN"]


def line(values: list[str] | tuple[str, ...]) -> str:
    widths = (32, 8, *(max(len(name), 6) for name in COLUMNS), 6, 7, 7)
    first = [value.ljust(width) for value, width in zip(values[:2], widths, strict=False)]
    return "  ".join(first + [value.rjust(width) for value, width in zip(values[2:], widths[2:], strict=True)])


def show_head() -> None:
    print(line(HEAD), flush=True)


def show(verdict: Verdict) -> None:
    print(line(cells(verdict)), flush=True)
    for sentence in verdict.wrong:
        print(f"    {sentence}", flush=True)


def write_json(path: Path, seed: int, verdicts: list[Verdict]) -> None:
    document = {"seed": seed, "faults": [verdict.document() for verdict in verdicts]}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def markdown(verdicts: list[Verdict]) -> str:
    """The table as docs/reliability.md has it."""
    rows = [HEAD, tuple("---" for _ in HEAD), *(cells(verdict) for verdict in verdicts)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)

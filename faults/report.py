"""The table of a campaign."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from fault import Fault
from settings import Settings
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


def write_json(path: Path, settings: Settings, verdicts: list[Verdict]) -> None:
    document = {
        "seed": settings.seed, "date": time.strftime("%Y-%m-%d"), "workers": settings.workers, "devices": settings.devices,
        "processors": os.cpu_count(), "faults": [verdict.document() for verdict in verdicts],
    }  # fmt: skip
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def markdown(path: Path) -> str:
    """The verdicts of a file as docs/reliability.md has them."""
    document = json.loads(path.read_text(encoding="utf-8"))
    rows = []
    for fault in document["faults"]:
        fault.pop("holds")
        rows.append(cells(Verdict(**fault)))
    title = (
        f"Seed {document['seed']}, {document['date']}, {document['workers']} workers, {document['devices']} devices,"
        f" {document['processors']} processors."
    )
    return f"{title}\n\n{_table([list(HEAD), *rows])}"


def descriptions(faults: dict[str, type[Fault]]) -> str:
    """What each fault is, as docs/reliability.md has it."""
    return _table([["fault", "of", "what happens"], *(
        [f"`{name}`", " ".join(cls.reference), _sentence(cls.__doc__ or "")] for name, cls in faults.items()
    )])  # fmt: skip


def _sentence(doc: str) -> str:
    """The first line of a docstring, whoever wrote it."""
    line = (doc.splitlines() or [""])[0].rstrip(".")
    return line[:1].upper() + line[1:]


def _table(rows: list[list[str]]) -> str:
    head, *body = (f"| {' | '.join(row)} |\n" for row in rows)
    return head + "|" + "---|" * len(rows[0]) + "\n" + "".join(body)

"""What must stay flat over a soak, judged by its table."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean

from verdict import Verdict

# How much more the last quarter may have than the second one, and how much in any case.
LIMITS = {"resident_mb": (1.25, 40), "serve_mb": (1.25, 20), "descriptors": (1.25, 10), "sessions": (1.25, 8), "dead_share": (1.5, 0.05),
          "due_ms": (3.0, 50)}  # fmt: skip


def check_growth(path: Path, verdict: Verdict) -> None:
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    quarter = len(rows) // 4
    if not quarter:
        return
    for column, (factor, allowance) in LIMITS.items():
        before, after = (_mean(part, column) for part in (rows[quarter : 2 * quarter], rows[-quarter:]))
        if after > max(before * factor, before + allowance):
            verdict.complain(f"{column} has grown from {before:.2f} to {after:.2f}")
    if idle := [row["seconds"] for row in rows if row["idle_in_transaction"] not in ("", "0")]:
        verdict.complain("sessions were idle in a transaction, at these seconds", idle)


def _mean(rows: list[dict[str, str]], column: str) -> float:
    return fmean([float(row[column]) for row in rows if row[column]] or [0.0])

"""Draws the table of a soak: one line for each thing that must stay flat."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 880, 84, 150, 20, 40, 26
STYLE = (
    "text{font:12px sans-serif;fill:#333}.head{font-weight:bold;font-size:14px}.axis{stroke:#bbb;stroke-width:1}"
    ".line{fill:none;stroke:#1f6feb;stroke-width:1.3}.fault{fill:#d73a49;opacity:.13}"
)
PANELS = (
    ("resident_mb", "workers, MB"), ("descriptors", "most descriptors"), ("sessions", "sessions"),
    ("idle_in_transaction", "idle in transaction"), ("deliveries", "deliveries kept"), ("dead_tuples", "dead tuples, work"),
    ("due_ms", "due look-up, ms"), ("urgent_ms", "urgent push, ms"),
)  # fmt: skip


def draw(source: Path, target: Path, rate: float, struck: Mapping[str, int]) -> None:
    with open(source, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return
    last = float(rows[-1]["seconds"]) or 1.0
    height = TOP + len(PANELS) * (PANEL + GAP) + 20
    title = f"{last / 60:.0f} minutes at {rate:.0f} deliveries a second, {sum(struck.values())} faults (shaded)"
    parts = [f'<text class="head" x="{LEFT}" y="22">{title}</text>']
    for number, (column, label) in enumerate(PANELS):
        parts += _panel(rows, column, label, TOP + number * (PANEL + GAP), last)
    target.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">'
        f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n",
        encoding="utf-8",
    )


def _panel(rows: list[dict[str, str]], column: str, label: str, top: float, last: float) -> list[str]:
    points = [(float(row["seconds"]), float(row[column])) for row in rows if row[column]]
    most = max((value for _, value in points), default=0)
    scale = most or 1.0
    parts = [f'<rect class="fault" x="{_x(begin, last):.1f}" y="{top}" width="{_x(end, last) - _x(begin, last):.1f}" height="{PANEL}"/>'
             for begin, end in _spans(rows)]  # fmt: skip
    line = " ".join(f"{_x(seconds, last):.1f},{top + PANEL - value / scale * PANEL:.1f}" for seconds, value in points)
    return [
        *parts,
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{top + PANEL}" y2="{top + PANEL}"/>',
        f'<polyline class="line" points="{line}"/>',
        f'<text x="8" y="{top + 14}">{label}</text><text x="8" y="{top + 30}">most {most:,.0f}</text>',
    ]


def _spans(rows: list[dict[str, str]]) -> list[tuple[float, float]]:
    """From when to when a fault was played."""
    spans: list[tuple[float, float]] = []
    for row in rows:
        seconds = float(row["seconds"])
        if row["fault"]:
            if spans and seconds - spans[-1][1] < 6:
                spans[-1] = (spans[-1][0], seconds)
            else:
                spans.append((seconds - 2, seconds))
    return spans


def _x(seconds: float, last: float) -> float:
    return LEFT + max(seconds, 0) / last * (WIDTH - LEFT - RIGHT)

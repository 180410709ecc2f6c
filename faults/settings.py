"""Where everything of a campaign is, and how it is wanted."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".local" / "faults"
RELEASE = ROOT / ".build" / "release" / "dispatcher"
DEBUG = ROOT / ".build" / "debug" / "dispatcher"


@dataclass(frozen=True)
class Settings:
    """What the command line asked for."""

    seed: int
    program: Path = RELEASE
    debug_program: Path = DEBUG
    home: Path = HOME
    only: tuple[str, ...] = ()
    rounds: int = 1
    short: bool = False
    workers: int = 3
    devices: int = 600
    jobs: int = 300


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

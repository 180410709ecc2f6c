"""Processes that are not our children: the servers', known by the ids that they or local-stack have written down."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from process import wait_until


def is_gone(pid: int) -> bool:
    """Whether it has ended; a zombie holds no port and no file any more."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


def send(pid: int, number: signal.Signals) -> None:
    """Sends a signal; one that has ended needs none."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def end(pid: int, first: signal.Signals, seconds: float) -> None:
    """Sends the signal, and ends by force what has not ended in that time."""
    send(pid, first)
    if not wait_until(lambda: is_gone(pid), seconds):
        send(pid, signal.SIGKILL)
        wait_until(lambda: is_gone(pid), 10)


def children(pid: int) -> list[int]:
    """The processes that it has started itself and that run."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text(encoding="ascii", errors="replace")
        except OSError:
            continue
        if status.rpartition(")")[2].split()[1] == str(pid):
            found.append(int(entry.name))
    return found

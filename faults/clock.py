"""The workers' wall clock, which goes wrong while their monotonic clock goes on."""

from __future__ import annotations

import mmap
import struct
import subprocess
import time
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")
BILLION = 1_000_000_000


class Clock:
    """A file in memory that says how wrong the clock is, and the library that makes programs believe it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.library = path.with_suffix(".so")
        path.write_bytes(bytes(16))
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 16)

    def environment(self) -> dict[str, str]:
        """For a program whose clock is to be moved."""
        if not self.library.exists():
            flags = ["-O2", "-std=c17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
            subprocess.run(["cc", *flags, "-o", self.library, SOURCE], check=True)
        return {"LD_PRELOAD": str(self.library), "DISPATCHER_FAULT_CLOCK": str(self.path)}

    def jump(self, seconds: float) -> None:
        """So far from the truth from now on."""
        self._set(offset=int(seconds * BILLION))

    def freeze(self) -> None:
        """It stands."""
        self._set(moment=time.time_ns())

    def true(self) -> None:
        """It is right again."""
        self._set()

    def _set(self, offset: int = 0, moment: int = 0) -> None:
        struct.pack_into("=qq", self._memory, 0, offset, moment)

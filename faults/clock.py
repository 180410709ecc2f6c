"""The workers' wall clock, moved by libfaketime; their monotonic clock goes on."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

LIBRARIES = ("/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime")
# Two counters, and the first member of the start time: -1 nanoseconds are "not yet known".
SHARED = struct.pack("=QQqq", 0, 0, 0, -1).ljust(4096, b"\0")


class Clock:
    """A file that says how wrong the clock is; whoever was started with the environment looks at it each second."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = f"dispatcher_clock_{os.getpid()}"
        self._is_shared = False
        self.true()

    @staticmethod
    def library() -> Path | None:
        """The library, when Debian's package faketime is installed."""
        paths = [Path(folder) / "libfaketimeMT.so.1" for folder in LIBRARIES]
        return next((path for path in paths if path.exists()), None)

    def environment(self) -> dict[str, str]:
        """For a program whose clock is to be moved."""
        self._share()
        return {
            "LD_PRELOAD": str(self.library() or ""),
            "FAKETIME_TIMESTAMP_FILE": str(self.path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_SHARED": f"/{self.name}_semaphore /{self.name}",
        }

    def _share(self) -> None:
        """The memory that the library otherwise makes for itself and puts into the environment: that moves the
        environment, and Swift, which looks for the arguments in front of it, finds none."""
        if self._is_shared:
            return
        self._library_call("sem_open", f"/{self.name}_semaphore", os.O_CREAT, 0o600, 1)
        Path("/dev/shm", self.name).write_bytes(SHARED)
        self._is_shared = True

    @staticmethod
    def _library_call(function: str, name: str, *numbers: int) -> None:
        call = getattr(ctypes.CDLL(None, use_errno=True), function)
        call.restype = ctypes.c_void_p
        call(ctypes.c_char_p(name.encode()), *map(ctypes.c_uint, numbers))

    def jump(self, seconds: int) -> None:
        """So far from the truth from now on."""
        self._write(f"{seconds:+d}s")

    def freeze(self, moment: str) -> None:
        """It stands at a moment, such as 2026-12-24 18:00:00."""
        self._write(moment)

    def true(self) -> None:
        self._write("+0s")

    def close(self) -> None:
        if self._is_shared:
            self._library_call("sem_unlink", f"/{self.name}_semaphore")
            Path("/dev/shm", self.name).unlink(missing_ok=True)
            self._is_shared = False

    def _write(self, text: str) -> None:
        temporary = self.path.with_suffix(".new")
        temporary.write_text(text + "\n", encoding="ascii")
        os.replace(temporary, self.path)

"""A small disk in memory that can be filled up."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

MEGABYTE = 1 << 20
PAGE = 4096


class SmallDisk:
    """Mounted until it is removed; needs root."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        self.megabytes = megabytes
        self.filler = folder / "filler"
        self.is_mounted = False

    def mount(self, owner: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m", "tmpfs", self.folder], check=True)
        self.is_mounted = True
        shutil.chown(self.folder, owner, owner)
        self.folder.chmod(0o700)

    def fill(self) -> None:
        """Takes the space that is left, while others take of it too."""
        with open(self.filler, "ab") as file:
            size = file.tell()
            for step in (MEGABYTE, PAGE):
                with contextlib.suppress(OSError):
                    while True:
                        os.posix_fallocate(file.fileno(), size, step)
                        size += step

    def empty(self) -> None:
        """Gives the space back."""
        self.filler.unlink(missing_ok=True)

    def free(self) -> int:
        numbers = os.statvfs(self.folder)
        return numbers.f_bavail * numbers.f_frsize

    def unmount(self) -> None:
        if self.is_mounted:
            subprocess.run(["umount", self.folder], check=True)
            self.is_mounted = False
            self.folder.rmdir()

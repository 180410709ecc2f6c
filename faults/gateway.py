"""The simulated gateway's mood, told to all workers by one file."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path


class GatewayMode:
    """Writes DISPATCHER_SIMULATED_MODE_FILE; workers look at it four times a second."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def set(self, platform: str = "*", **mode: object) -> None:
        """For example set("apns", answer="unavailable", share=0.5)."""
        self.set_all({platform: mode})

    def set_all(self, modes: dict[str, dict[str, object]]) -> None:
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(modes), encoding="utf-8")
        os.replace(temporary, self.path)
        time.sleep(0.3)

    def heal(self) -> None:
        """Everything is accepted again."""
        self.path.unlink(missing_ok=True)
        time.sleep(0.3)

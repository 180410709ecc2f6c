"""What stands between workers and servers when a fault needs the network to break."""

from __future__ import annotations


class Proxy:
    """Hands everything on, until it is told otherwise."""

    def __init__(self, name: str, target: tuple[str, int]) -> None:
        self.name = name
        self.target = target
        self.port = target[1]

    def start(self) -> None:
        """Begins to listen on a free port, from then on in `port`."""

    def heal(self) -> None:
        """Hands everything on again."""

    def stop(self) -> None:
        """Ends listening and all that it has handed on."""

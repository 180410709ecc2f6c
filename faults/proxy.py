"""What stands between workers and servers when the network is to break: a TCP proxy in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

from process import wait_until

CHUNK = 65_536
# CommandComplete of the PostgreSQL protocol: "C", the length, and the tag of the command.
COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"
# Closing sends a reset, not an end.
RESET = struct.pack("ii", 1, 0)


class Link:
    """One connection and its other half, once that is made."""

    def __init__(self, client: socket.socket) -> None:
        self.client = client
        self.server: socket.socket | None = None
        self.task: asyncio.Task[None] | None = None
        self.must_reset = False

    def close(self) -> None:
        for end in (self.client, self.server):
            if end is None:
                continue
            with contextlib.suppress(OSError):
                if self.must_reset:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                end.close()


class Proxy:
    """Hands everything on, until it is told otherwise. The first target that answers is taken: what is in front of a
    cluster does the same."""

    def __init__(self, name: str, *targets: tuple[str, int]) -> None:
        self.name = name
        self.targets = list(targets)
        self.port = targets[0][1]
        self.accepted: list[float] = []  # when, by the monotonic clock
        self.dropped_commits = 0
        self._loop = asyncio.new_event_loop()
        self._thread: threading.Thread | None = None
        self._changed = asyncio.Event()
        self._links: set[Link] = set()
        self._listener: socket.socket | None = None
        self._reset()

    def _reset(self) -> None:
        self._flows = {"up": True, "down": True}
        self._latency = 0.0
        self._rate = 0  # bytes a second; 0 is as fast as it goes
        self._commits_to_drop = 0

    # Its life

    def start(self) -> None:
        """Begins to listen on a free port, from then on in `port`."""
        self._listen(0)
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"proxy {self.name}", daemon=True)
        self._thread.start()
        self._call(self._accept_links)

    def stop(self) -> None:
        """Ends listening and all that it has handed on."""
        if self._thread is None:
            return
        self.refuse()
        wait_until(lambda: not self._links, 5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._thread = None
        self._loop.close()

    def heal(self) -> None:
        """Hands everything on again; what is frozen in it goes on."""
        self._call(self._reset)
        if self._thread is None:
            return
        self.admit()
        self._call(self._wake)

    # What breaks

    def stall(self, up: bool = True, down: bool = True) -> None:
        """Half-open: nothing more arrives at the server (up) or the client (down), and TCP still acknowledges."""
        self._call(self._set_flows, not up, not down)

    def cut(self) -> None:
        """Resets every connection; new ones are taken."""
        self._call(self._cut)

    def refuse(self) -> None:
        """Resets every connection and takes no new one."""
        self._call(self._close_listener)
        self._call(self._cut)

    def admit(self) -> None:
        """Takes connections again."""
        self._call(self._reopen)

    def delay(self, seconds: float) -> None:
        """Everything arrives later by so much, in either direction."""
        self._latency = seconds

    def trickle(self, rate: int) -> None:
        """So many bytes a second arrive, on each connection."""
        self._rate = rate

    def drop_commits(self, count: int) -> None:
        """Swallows the next so many answers to COMMIT and resets their connections: the server has committed."""
        self._commits_to_drop = count

    def reconnects(self, since: float) -> int:
        """How many connections were taken since that moment of the monotonic clock."""
        return sum(moment >= since for moment in self.accepted)

    @property
    def open_links(self) -> int:
        return len(self._links)

    # In the proxy's thread

    def _call(self, body: Callable[..., None], *arguments: Any) -> None:
        if self._thread is None:
            body(*arguments)
            return
        done = threading.Event()

        def run() -> None:
            body(*arguments)
            done.set()

        self._loop.call_soon_threadsafe(run)
        done.wait(10)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _set_flows(self, up: bool, down: bool) -> None:
        self._flows = {"up": up, "down": down}
        self._wake()

    def _cut(self) -> None:
        for link in self._links:
            self._reset_link(link)

    def _reset_link(self, link: Link) -> None:
        link.must_reset = True
        if link.task is not None:
            link.task.cancel()

    def _forget(self, link: Link) -> None:
        self._links.discard(link)
        link.close()

    def _listen(self, port: int) -> None:
        self._listener = socket.create_server(("127.0.0.1", port), backlog=256)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]

    def _close_listener(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            self._loop.remove_reader(listener)
            listener.close()

    def _reopen(self) -> None:
        if self._listener is None:
            self._listen(self.port)
            self._accept_links()

    def _accept_links(self) -> None:
        assert self._listener is not None
        self._loop.add_reader(self._listener, self._accept, self._listener)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            client, _ = listener.accept()
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.accepted.append(time.monotonic())
            link = Link(client)
            self._links.add(link)
            link.task = self._loop.create_task(self._serve(link))
            link.task.add_done_callback(lambda _: self._forget(link))

    async def _serve(self, link: Link) -> None:
        link.server = await self._connect()
        if link.server is None:
            return
        up = self._loop.create_task(self._pump(link.client, link.server, "up"))
        down = self._loop.create_task(self._pump(link.server, link.client, "down"))
        try:
            await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
            link.must_reset = any(task.done() and task.result() for task in (up, down))
        finally:
            up.cancel()
            down.cancel()
            # They let go of the sockets before these are closed.
            await asyncio.gather(up, down, return_exceptions=True)

    async def _connect(self) -> socket.socket | None:
        for target in self.targets:
            server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            server.setblocking(False)
            try:
                await asyncio.wait_for(self._loop.sock_connect(server, target), 5)
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return server
            except (OSError, asyncio.TimeoutError):
                server.close()
        return None

    async def _pump(self, source: socket.socket, target: socket.socket, direction: str) -> bool:
        """Hands on what comes until there is no more; true when the connection is to be reset."""
        try:
            while data := await self._loop.sock_recv(source, CHUNK):
                while not self._flows[direction]:
                    await self._changed.wait()
                if self._swallows(data, direction):
                    return True
                await self._send(target, data)
        except OSError:
            return True
        return False

    def _swallows(self, data: bytes, direction: str) -> bool:
        if self._commits_to_drop <= 0 or direction == "up" or COMMITTED not in data:
            return False
        self._commits_to_drop -= 1
        self.dropped_commits += 1
        return True

    async def _send(self, target: socket.socket, data: bytes) -> None:
        if self._latency > 0:
            await asyncio.sleep(self._latency)
        if self._rate <= 0:
            await self._loop.sock_sendall(target, data)
            return
        step = max(1, self._rate // 20)
        for start in range(0, len(data), step):
            await self._loop.sock_sendall(target, data[start : start + step])
            await asyncio.sleep(step / max(1, self._rate or CHUNK * 100))

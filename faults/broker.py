"""The private RabbitMQ of a stage, one node or three, with what may happen to it."""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pika

import pids
from partition import Partition
from process import wait_until
from settings import ROOT
from stack import Stack
from urls import with_port

PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmqctl"
DEFINITIONS = ROOT / "definitions.json"
CONSUMER_TIMEOUT = 1_800_000


class Broker:
    """The broker that the workers use. Whatever is done to it here, heal undoes."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self._frozen: set[int] = set()
        self._lonely: set[int] = set()
        self._alarms: set[str] = set()
        self._has_timeout = False
        self._partition = Partition(f"dispatcher_faults_{self.port()}")

    @property
    def url(self) -> str:
        """Of the first node that answers, as far as is known here."""
        good = [node for node in self.nodes if self.is_up(node) and node not in self._frozen | self._lonely]
        return with_port(self.stack.amqp_url, self.port(good[0] if good else 1))

    @property
    def nodes(self) -> range:
        return range(1, int(self.stack.state("rabbit-nodes")) + 1)

    def port(self, node: int = 1) -> int:
        return int(self.stack.state(f"rabbit{node}-port"))

    def pid(self, node: int = 1) -> int:
        return int(self.stack.state(f"rabbit{node}-pid"))

    def is_up(self, node: int = 1) -> bool:
        return not pids.is_gone(self.pid(node))

    # Stops and starts

    def restart(self, node: int = 1) -> None:
        self.stop(node)
        self.start()

    def stop(self, node: int = 1) -> None:
        """As an administrator stops it."""
        self._end(node, signal.SIGTERM, 60)

    def kill(self, node: int = 1) -> None:
        self._end(node, signal.SIGKILL, 5)

    def start(self) -> None:
        """Starts every node that is down, on its old port and data."""
        self.stack.up()

    def freeze(self, node: int = 1) -> None:
        """It answers nothing, and its kernel still acknowledges."""
        self._frozen.add(node)
        pids.send(self.pid(node), signal.SIGSTOP)

    def thaw(self, node: int = 1) -> None:
        self._frozen.discard(node)
        pids.send(self.pid(node), signal.SIGCONT)

    def _end(self, node: int, first: signal.Signals, seconds: float) -> None:
        launcher = int(self.stack.state(f"rabbit{node}-launcher-pid"))
        pids.end(self.pid(node), first, seconds)
        wait_until(lambda: pids.is_gone(launcher), 10)

    # What rabbitmqctl does

    def control(self, *words: str, node: int = 1, seconds: float = 180) -> str:
        """Runs rabbitmqctl against a node; answers what it prints."""
        environment = self.stack.folder / "rabbitmq" / f"node{node}" / "environment"
        command = f"source {shlex.quote(str(environment))}; exec {PROGRAM} --quiet " + shlex.join(words)
        answer = subprocess.run(
            ["bash", "-c", command], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=seconds, check=False,
        )  # fmt: skip
        if answer.returncode != 0:
            raise RuntimeError(f"rabbitmqctl {words[0]}: {answer.stderr.strip()[:300]}")
        return answer.stdout

    def evaluate(self, expression: str, node: int = 1) -> str:
        return self.control("eval", expression, node=node)

    def alarm(self, kind: str) -> None:
        """"disk" or "memory": the broker reads nothing more from those that publish."""
        self._alarms.add(kind)
        if kind == "disk":
            self.control("set_disk_free_limit", "900GB")
        else:
            self.control("set_vm_memory_high_watermark", "absolute", "10MiB")

    def clear_alarm(self, kind: str) -> None:
        if kind == "disk":
            self.control("set_disk_free_limit", "200MB")
        else:
            self.control("set_vm_memory_high_watermark", "0.4")
        self._alarms.discard(kind)

    def set_consumer_timeout(self, milliseconds: int = CONSUMER_TIMEOUT) -> None:
        """For every node; a node looks once a minute, and takes what a consumer was given when it began to consume."""
        for node in self.nodes:
            self.evaluate(f"application:set_env(rabbit, consumer_timeout, {milliseconds}).", node)
        self._has_timeout = milliseconds != CONSUMER_TIMEOUT

    def set_tick_time(self, seconds: int) -> None:
        """After how long without a word the nodes of a cluster take each other for dead."""
        for node in self.nodes:
            self.evaluate(f"net_kernel:set_net_ticktime({seconds}, 0).", node)

    def partition(self, node: int) -> None:
        """The node and the others hear nothing more of each other; clients reach all of them."""
        ports = [int(self.stack.state(f"rabbit{other}-dist-port")) for other in self.nodes]
        self._lonely.add(node)
        self._partition.split(self.pid(node), ports)

    def rejoin(self) -> None:
        self._partition.heal()
        self._lonely.clear()

    # Users

    def add_user(self, user: str, password: str) -> None:
        """A login that may do everything, or has its password and its permissions back."""
        if user not in self.control("list_users"):
            self.control("add_user", user, password)
        self.change_password(user, password)
        self.set_permissions(user)

    def set_permissions(self, user: str, configure: str = ".*", write: str = ".*", read: str = ".*") -> None:
        self.control("set_permissions", "-p", "/", user, configure, write, read)

    def change_password(self, user: str, password: str) -> None:
        self.control("change_password", user, password)

    def close_connections(self, reason: str = "closed by a fault") -> None:
        """Of everybody, since permissions and passwords are looked at when somebody connects or opens a channel."""
        self.control("close_all_connections", reason)

    # Topology

    def delete_queue(self, name: str) -> None:
        with self._channel() as channel:
            channel.queue_delete(name)

    def delete_exchange(self, name: str) -> None:
        with self._channel() as channel:
            channel.exchange_delete(name)

    def declare_classic_queue(self, name: str) -> None:
        """A queue of the wrong type under this name."""
        with self._channel() as channel:
            channel.queue_declare(name, durable=True, arguments={"x-queue-type": "classic"})

    def import_definitions(self) -> None:
        """What is missing of the topology is there again."""
        self.control("import_definitions", str(DEFINITIONS))

    def queues(self) -> dict[str, tuple[int, int, int]]:
        """Of each queue: messages ready, messages not acknowledged, consumers."""
        names = ["name", "messages_ready", "messages_unacknowledged", "consumers"]
        lines = self.control("list_queues", *names).splitlines()
        rows = [line.split("\t") for line in lines if line.startswith("push.")]
        return {row[0]: (int(row[1] or 0), int(row[2] or 0), int(row[3] or 0)) for row in rows}

    def leader(self, queue: str) -> int:
        """The node that leads a quorum queue."""
        for node in self.nodes:
            if not self.is_up(node) or node in self._frozen:
                continue
            for line in self.control("list_queues", "name", "leader", node=node).splitlines():
                name, _, leader = line.partition("\t")
                if name == queue:
                    return int(leader.removeprefix("dispatcher").partition("@")[0])
        raise RuntimeError(f"nobody leads {queue}")

    @contextmanager
    def _channel(self) -> Iterator[pika.adapters.blocking_connection.BlockingChannel]:
        connection = pika.BlockingConnection(pika.URLParameters(self.url))
        try:
            yield connection.channel()
        finally:
            connection.close()

    # Log

    def log(self, node: int = 1) -> str:
        """What a node has written since its folder was made."""
        folder = self.stack.folder / "rabbitmq" / f"node{node}" / "log"
        files = sorted(folder.glob("*.log"))
        return "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)

    def heal(self) -> None:
        """Undoes whatever was done to it."""
        self.rejoin()
        for node in list(self._frozen):
            self.thaw(node)
        if not all(self.is_up(node) for node in self.nodes):
            self.start()
        for kind in list(self._alarms):
            self.clear_alarm(kind)
        if self._has_timeout:
            self.set_consumer_timeout()

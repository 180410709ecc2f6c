"""Somebody who listens to the hub's events."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Callable

import pika
from pika.exceptions import AMQPError

EXCHANGE = "push.events"


class Listener:
    """Binds a queue of its own, and keeps every event's id and what it says."""

    def __init__(self, url: Callable[[], str], name: str) -> None:
        self._url = url
        self._queue = f"faults.{name}"
        self.ids: Counter[str] = Counter()
        self.events: list[dict] = []
        self._is_over = threading.Event()
        self._is_bound = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._is_bound.wait(20)

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _listen(self) -> None:
        while not self._is_over.is_set():
            try:
                self._take()
            except (AMQPError, OSError, AssertionError):
                self._is_over.wait(0.5)

    def _take(self) -> None:
        connection = pika.BlockingConnection(pika.URLParameters(self._url()))
        try:
            channel = connection.channel()
            channel.queue_declare(self._queue, durable=True)
            channel.queue_bind(self._queue, EXCHANGE, "#")
            self._is_bound.set()
            for method, _, body in channel.consume(self._queue, inactivity_timeout=0.2):
                if method is not None:
                    self._keep(json.loads(body))
                    channel.basic_ack(method.delivery_tag)
                if self._is_over.is_set():
                    channel.queue_delete(self._queue)
                    return
        finally:
            if connection.is_open:
                connection.close()

    def _keep(self, event: dict) -> None:
        if not self.ids[event["id"]]:
            self.events.append(event)
        self.ids[event["id"]] += 1

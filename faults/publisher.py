"""One connection that publishes with confirms, and is made again whenever it is lost."""

from __future__ import annotations

import time
from typing import Callable

import pika
from pika.adapters.utils.connection_workflow import AMQPConnectorException
from pika.exceptions import AMQPError, NackError, UnroutableError

EXCHANGE = "push.in"
PAUSE = 0.3
# What a connection may fail with; the connector's are no AMQPError.
TROUBLE = (AMQPError, AMQPConnectorException, OSError, AssertionError)


class Publisher:
    """For one thread."""

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        self._connection: pika.BlockingConnection | None = None
        self._channel: object = None

    def publish(self, key: str, body: bytes, message_id: str | None = None, headers: dict | None = None) -> bool:
        """One try: whether the broker has confirmed it."""
        properties = pika.BasicProperties(
            content_type="application/json", message_id=message_id, delivery_mode=2, headers=headers
        )
        try:
            self._open().basic_publish(EXCHANGE, key, body, properties, mandatory=True)
            return True
        except (UnroutableError, NackError):
            return False
        except TROUBLE:
            self.close()
            return False

    def insist(self, key: str, body: bytes, message_id: str | None, until: Callable[[], bool]) -> bool:
        """Publishes again until it is confirmed or `until` says that it is enough."""
        while not self.publish(key, body, message_id):
            if until():
                return False
            time.sleep(PAUSE)
        return True

    def close(self) -> None:
        connection, self._connection, self._channel = self._connection, None, None
        if connection is not None and connection.is_open:
            try:
                connection.close()
            except TROUBLE:
                pass

    def _open(self):
        if self._channel is None or not self._channel.is_open:
            self.close()
            parameters = pika.URLParameters(self._url())
            parameters.heartbeat = 5
            parameters.blocked_connection_timeout = parameters.socket_timeout = parameters.stack_timeout = 5
            self._connection = pika.BlockingConnection(parameters)
            self._channel = self._connection.channel()
            self._channel.confirm_delivery()
        return self._channel

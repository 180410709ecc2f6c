"""What lies in the queues."""

from __future__ import annotations

import pika

from publisher import TROUBLE

WORK = (
    "push.jobs.high", "push.jobs.normal", "push.jobs.bulk", "push.batches.high", "push.batches.normal",
    "push.batches.bulk", "push.installations", "push.receipts",
)  # fmt: skip


def ready(url: str, *names: str) -> int | None:
    """How many messages wait in them; nothing when the broker does not say."""
    parameters = pika.URLParameters(url)
    parameters.socket_timeout = parameters.stack_timeout = parameters.blocked_connection_timeout = 5
    try:
        connection = pika.BlockingConnection(parameters)
        try:
            channel = connection.channel()
            return sum(channel.queue_declare(name, passive=True).method.message_count for name in names)
        finally:
            connection.close()
    except TROUBLE:
        return None

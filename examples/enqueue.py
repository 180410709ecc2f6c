#!/usr/bin/python3
"""Sends jobs to Dispatcher from Python, with Debian's python3-pika.

    DISPATCHER_AMQP_URL=amqp://… examples/enqueue.py alice "Dinner on Friday?"

`publish` is all that a service needs: persistent messages, confirmed by the broker.
One with a mistyped key is confirmed too: it becomes a dead letter with the reason `unroutable`.
"""

import json
import os
import sys
import uuid

import pika


def publish(channel, job, urgency="normal"):
    """Returns when the broker holds the job on disk; raises NackError when it does not."""
    publish_body(channel, job["id"], json.dumps(job), urgency)


def publish_body(channel, job_id, body, urgency):
    publish_to(channel, f"jobs.{urgency}", body, job_id)


def publish_to(channel, key, body, message_id=None):
    """`key` is jobs.high, jobs.normal, jobs.bulk, installations or receipts."""
    channel.basic_publish(
        exchange="push.in",
        routing_key=key,
        body=body,
        properties=pika.BasicProperties(content_type="application/json", message_id=message_id, delivery_mode=2),
        mandatory=True,
    )


def open_channel(url):
    """Answers a connection and a channel on which every publish waits for its confirm."""
    connection = pika.BlockingConnection(pika.URLParameters(url))
    channel = connection.channel()
    channel.confirm_delivery()
    return connection, channel


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: examples/enqueue.py USER TEXT")
    user, text = sys.argv[1:]
    # Keep the id and publish the same body again when the confirm is lost: it stays one notification.
    job = {"id": str(uuid.uuid4()), "to": {"users": [user]}, "content": {"title": "Hello", "body": text}}
    connection, channel = open_channel(os.environ["DISPATCHER_AMQP_URL"])
    publish(channel, job, urgency="high")
    connection.close()
    print(job["id"])


if __name__ == "__main__":
    main()

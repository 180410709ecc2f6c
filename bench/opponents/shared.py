"""What the Python opponents have in common: the addresses, the queries, the payloads and the simulated gateway."""

import os

from orjson import dumps

AMQP_URL = os.environ["DISPATCHER_AMQP_URL"]
DATABASE_URL = os.environ["DISPATCHER_DATABASE_URL"]
QUEUE = "push.jobs.normal"
APNS = 0
ACCEPTED = 2

COLUMNS = ["notification_id", "installation_id", "accepted_at", "finished_at", "state", "platform", "attempts", "ambiguous"]


def notification_number(job):
    """The bigint key of a job: the generator writes its number into the last group of the id."""
    return int(job["id"][24:], 16)


def render(job, platform, token):
    """The payload as bytes, APNs or FCM."""
    content = job["content"]
    text = {"title": content["title"], "body": content["body"]}
    if platform == APNS:
        return dumps({"aps": {"alert": text}})
    return dumps({"message": {"token": token, "notification": text}})


def send(payload):
    """The simulated gateway: in process, without latency, it accepts whatever has a body."""
    if len(payload) < 20:
        raise ValueError("no payload")


def deliver(job, number, devices, now):
    """Sends to each (id, platform, token) and yields the rows to record."""
    for identifier, platform, token in devices:
        send(render(job, platform, token))
        yield (number, identifier, now, now, ACCEPTED, platform, 1, False)

"""S12: one broadcast, while workers come and go."""

import json
import os
import signal
import subprocess
import uuid
from collections import namedtuple

from basics import wait_until

SIZE = 20_000

Fan = namedtuple("Fan", "id user platform permission")


def s12_crowd(world):
    """A worker is added and another is ended in the middle of it; each device gets it once all the same.

    A worker that is killed leaves its batches for 15 seconds: scripts/fault-test plays that.
    """
    fans = [Fan(f"fan-{number}", None, "apns" if number % 2 else "fcmV1", "authorized") for number in range(SIZE)]
    admit(world, fans)
    first = workers(world)
    job = {"id": str(uuid.uuid4()), "hub": world.hub, "to": {"tags": "stadium"}, "content": {"title": "Goal!"}}
    world.ledger.sent("S12", job["id"], fans, keeps=False)
    world.publish("jobs.bulk", job, job["id"])
    wait_until(lambda: counts(world, job["id"])[0] > 0)
    start_worker(world, "worker3")
    os.kill(int((world.home / "worker1.pid").read_text()), signal.SIGTERM)
    wait_until(lambda: counts(world, job["id"]) == (SIZE, "completed"), 60)
    wait_until(lambda: len(workers(world)) == len(first) and len(workers(world) - first) == 1)
    world.story("S12", f"one broadcast to {SIZE:,} more phones; a worker came and another went meanwhile")


def admit(world, fans):
    file = world.home / "fans.jsonl"
    with open(file, "w", encoding="utf-8") as lines:
        for fan in fans:
            document = {"hub": world.hub, "installationId": fan.id, "platform": fan.platform, "pushChannel": f"ok-{fan.id}"}
            lines.write(json.dumps(document | {"tags": ["stadium"]}) + "\n")
    subprocess.run([world.program, "installations", "import", file], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start_worker(world, name):
    """As scripts/demo starts them: it ends them by the same files."""
    with open(world.home / f"{name}.log", "wb") as log:
        worker = subprocess.Popen([world.program, "worker"], stdin=subprocess.DEVNULL, stderr=log, start_new_session=True)
    (world.home / f"{name}.pid").write_text(f"{worker.pid}\n")


def workers(world):
    return {row[0] for row in world.database.rows("SELECT id FROM dashboard.workers WHERE state <> 'lost'")}


def counts(world, job):
    rows = world.database.rows(f"SELECT accepted, state FROM dashboard.notifications WHERE id = '{job}'")
    return (int(rows[0][0]), rows[0][1]) if rows else (0, None)

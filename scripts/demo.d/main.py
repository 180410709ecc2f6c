#!/usr/bin/python3
"""The demo's Python half: `register FILE` writes the installations, `run LOG` sends the jobs and checks what came of them,
`phones PROGRAM LOG ADDRESS KEY` plays the scenarios."""

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "examples"))

import enqueue  # noqa: E402
import phones  # noqa: E402
import tables  # noqa: E402
from checks import Checks  # noqa: E402
from database import Database  # noqa: E402
from progress import Progress  # noqa: E402
from workload import EXPRESSION, Workload  # noqa: E402

# The longest retry takes about four seconds; a machine that is busy with something else gets the rest.
PATIENCE = 90


def register(path):
    with open(path, "w", encoding="utf-8") as file:
        for device in Workload().devices:
            file.write(json.dumps(device.registration()) + "\n")


def send(channel, messages):
    started = time.monotonic()
    for urgency, message_id, body in messages:
        enqueue.publish_body(channel, message_id, body, urgency)
    return time.monotonic() - started


def heartbeats(database):
    """Waits until every worker has told its counters once more."""
    since = database.rows("SELECT clock_timestamp()")[0][0]
    for _ in range(50):
        late = database.rows(f"SELECT count(*) FROM dashboard.workers WHERE heartbeat_at < '{since}'")
        if late == [["0"]]:
            return
        time.sleep(0.1)


def show_platforms(workload, witness):
    """What the six gateways were handed for the job with content for all of them."""
    print("\nOne content on six platforms, as the gateways got it")
    with open(witness, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line in sorted(lines, key=lambda line: line["platform"]):
        if line["notificationId"] == workload.content_for_all:
            payload = line["payload"]
            text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
            print(f"  {line['platform']:8}{text}")


def run(witness):
    workload = Workload()
    database = Database(os.environ["DISPATCHER_DATABASE_URL"])
    progress = Progress(database)
    connection, channel = enqueue.open_channel(os.environ["DISPATCHER_AMQP_URL"])
    seconds = send(channel, workload.messages)
    print(f"{len(workload.messages)} jobs confirmed after {seconds:.1f} s: a broadcast, one for {EXPRESSION!r}, 300 for one")
    print("user each, two for one user's devices on all six platforms, one that comes twice, one that has expired, and three")
    print("that are wrong", flush=True)
    late_bad = 1
    is_done = progress.wait(len(workload.expected) - 1, len(workload.dead_letters) - late_bad, PATIENCE)
    send(channel, workload.late_messages)
    print("then one more for a user whose device was retired, and another body under an id that is taken", flush=True)
    is_done = is_done and progress.wait(len(workload.expected), len(workload.dead_letters), PATIENCE)
    heartbeats(database)
    tables.show(database)
    show_platforms(workload, witness)
    print("\nExpected against found")
    is_exact = Checks(workload, database, channel, witness).run()
    connection.close()
    database.close()
    return 0 if is_done and is_exact else 1


def play(program, witness, address, key_file):
    database = Database(os.environ["DISPATCHER_DATABASE_URL"])
    connection, channel = enqueue.open_channel(os.environ["DISPATCHER_AMQP_URL"])
    key = json.loads(Path(key_file).read_text(encoding="utf-8"))
    is_exact = phones.play(program, address, key, database, channel, witness)
    connection.close()
    database.close()
    return 0 if is_exact else 1


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    sys.exit({"register": register, "run": run, "phones": play}[command](*arguments))

"""Publishes broken messages, with broken headers, to a real broker before a real worker, and counts where each went.

Every message has to end as what it is, or as one dead letter; valid ones among them have to be delivered; the process
has to live. Rounds start from empty queues and an empty schema. Standard library only. Usage:
amqp_fuzz.py PROGRAM COUNT SEED FOLDER, with the two URLs in the environment.
"""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter

import amqp_raw as raw
from amqp_messages import DEVICES, KEYS, Maker

ROUND = 100_000
WINDOW = 2_000  # unconfirmed messages
BACKLOG = 20_000  # messages that the worker may be behind


class Worker:
    def __init__(self, program, log):
        self.log = log
        environment = os.environ | {
            "DISPATCHER_METRICS_ADDRESS": f"127.0.0.1:{free_port()}", "DISPATCHER_LOG_LEVEL": "error", "DISPATCHER_EVENTS": "none",
        }  # fmt: skip
        self.address = environment["DISPATCHER_METRICS_ADDRESS"]
        with open(log, "ab") as file:
            self.process = subprocess.Popen([program, "worker"], env=environment, stderr=file, stdout=file)

    def ask(self, path):
        try:
            with urllib.request.urlopen(f"http://{self.address}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def metrics(self):
        found = Counter()
        for line in self.ask("/metrics")[1].splitlines():
            if line and not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                found[name] = float(value)
                if "{" in name:
                    found[name.split("{")[0]] += float(value)
        return found

    def wait_until_ready(self):
        end = time.monotonic() + 60
        while self.ask("/health/ready")[0] != 200:
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"the worker does not start: {self.ask('/health/ready')}")
            time.sleep(0.1)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def sql(query):
    run = subprocess.run(
        ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", os.environ["DISPATCHER_DATABASE_URL"], "-c", query],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line.split("|") for line in run.stdout.splitlines()]


def fingerprint(queue, message_id, body):
    """As a dead letter has it; bytes that are no text are repaired before."""
    text = message_id if isinstance(message_id, str) else message_id.decode(errors="replace")
    return hashlib.sha256(f"{queue}\0{text}\0".encode() + body).hexdigest()


class Round:
    """So many messages, from an empty schema and empty queues to the account of each."""

    def __init__(self, program, maker, first, count, folder):
        self.program, self.maker, self.first, self.count = program, maker, first, count
        self.log = os.path.join(folder, "worker.log")
        self.kinds, self.sent, self.valid, self.devices = Counter(), {}, [], 0

    def run(self):
        self.purge()
        sql("SET client_min_messages = error; DROP SCHEMA IF EXISTS dispatcher, dashboard CASCADE")
        subprocess.run([self.program, "migrate"], check=True, capture_output=True)
        lines = [f"('phone-{n}', 'ok-phone-{n}', 'user-{n % 9}')" for n in range(DEVICES)]
        sql("INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, user_id) "
            f"SELECT h.id, v.i, 1, v.c, v.u FROM dispatcher.hub h, (VALUES {', '.join(lines)}) v(i, c, u)")  # fmt: skip
        self.worker = Worker(self.program, self.log)
        try:
            self.worker.wait_until_ready()
            began = time.monotonic()
            self.publish()
            published = time.monotonic() - began
            self.drain()
            taken = time.monotonic() - began
            return self.account(published, taken)
        finally:
            if self.worker.process.poll() is None:
                print(self.worker.ask("/health/ready")[1], self.worker.ask("/health/live")[1], file=sys.stderr)
            self.worker.stop()

    @staticmethod
    def purge():
        channel = raw.Channel(os.environ["DISPATCHER_AMQP_URL"])
        for queue in [f"push.{key}" for key in KEYS] + [f"push.batches.{lane}" for lane in ("high", "normal", "bulk")] + ["push.dead"]:
            channel.purge(queue)
        channel.close()

    def publish(self):
        channel = raw.Channel(os.environ["DISPATCHER_AMQP_URL"])
        for number in range(self.first, self.first + self.count):
            kind, key, body, values = self.maker.make(number)
            channel.publish(key, body, raw.properties(values))
            self.kinds[kind] += 1
            if kind == "valid":
                self.valid.append(json.loads(body)["id"])
            if kind != "marker":
                self.devices += key in KEYS[3:]
                self.sent[fingerprint(f"push.{key}", values.get(raw.MESSAGE_ID, b""), body)] = number
            if channel.unsettled >= WINDOW:
                channel.settle(WINDOW // 2)
                self.check()
            if number % 5_000 == 0:
                self.hold_back(number - self.first)
        channel.settle()
        if channel.refused:
            raise SystemExit(f"the broker refused {channel.refused}")
        channel.close()

    def hold_back(self, published):
        """Lets the worker catch up, so that a round is not one long queue."""
        while published - self.taken(self.worker.metrics()) > BACKLOG:
            self.check()
            time.sleep(0.2)

    def check(self):
        if self.worker.process.poll() is not None:
            last = self.first + sum(self.kinds.values()) - 1
            raise SystemExit(f"the worker died with {self.worker.process.returncode} before message {last}; {self.log}")

    @staticmethod
    def taken(metrics):
        return sum(metrics[f'dispatcher_messages_total{{queue="push.{key}"}}'] for key in KEYS)

    def drain(self):
        """Until as many messages are taken as were sent, and nothing moves any more."""
        end, last = time.monotonic() + 300, None
        while time.monotonic() < end:
            self.check()
            metrics = self.worker.metrics()
            now = (self.taken(metrics), metrics["dispatcher_deliveries_total"])
            if metrics["dispatcher_hands_busy"] == 0 and now == last and now[0] >= self.count:
                return
            last = now
            time.sleep(1)
        raise SystemExit(f"not taken within 300 s: {last} of {self.count}; {self.worker.ask('/health/ready')}")

    def account(self, published, taken):
        metrics = self.worker.metrics()
        letters = sql(
            "SELECT encode(fingerprint, 'hex'), times_seen, published_at IS NOT NULL, reason, queue LIKE 'push.jobs.%' "
            "FROM dispatcher.dead_letter"
        )
        jobs = int(sql("SELECT count(*) FROM dispatcher.notification")[0][0])
        reports = int(metrics["dispatcher_installations_total"] + metrics["dispatcher_receipts_total"])
        dead = Counter(letter[4] for letter in letters)
        # A connection that is lost on a busy machine brings messages again. Jobs and letters are counted by their rows,
        # the others as often as they were written.
        losses = int(metrics["dispatcher_broker_losses_total"])
        again = sum(int(letter[1]) - 1 for letter in letters)
        devices = self.devices - dead["f"] - reports
        faults = {
            "unknown dead letters": sum(letter[0] not in self.sent for letter in letters),
            "not in the queue": sum(letter[2] != "t" for letter in letters),
            "valid, not delivered": self.undelivered(),
            "jobs lost or doubled": len(self.sent) - self.devices - dead["t"] - jobs,
            "others lost": max(devices, 0),
            "taken twice": 0 if losses else again - min(devices, 0),
        }
        accepted = jobs + reports + min(devices, 0)
        faults["not ready"] = int(self.worker.ask("/health/ready")[0] != 200)
        faults["exit status"] = self.worker.stop()
        reasons = Counter(letter[3] for letter in letters)
        return {
            "messages": self.count, "kinds": dict(self.kinds), "accepted": accepted, "dead": len(letters), "connections lost": losses,
            "redelivered": again - min(devices, 0),
            "published/s": round(self.count / published), "taken/s": round(self.count / taken),
            "MiB": round(metrics["process_resident_memory_bytes"] / 2**20), "cpu s": round(metrics["process_cpu_seconds_total"], 1),
            "reasons": dict(reasons.most_common()), "faults": {name: count for name, count in faults.items() if count},
        }  # fmt: skip

    def undelivered(self):
        sql("CREATE TABLE IF NOT EXISTS public.expected (id uuid); TRUNCATE public.expected")
        for start in range(0, len(self.valid), 1_000):
            sql("INSERT INTO public.expected VALUES " + ", ".join(f"('{id}')" for id in self.valid[start:start + 1_000]))
        query = """
            SELECT count(*) FROM public.expected e
            LEFT JOIN dashboard.notifications n USING (id) WHERE n.state IS DISTINCT FROM 'completed' OR n.accepted <> 1
        """
        return int(sql(query)[0][0])


def main():
    program, count, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    maker, total, failed = Maker(seed), Counter(), False
    began = time.monotonic()
    for first in range(0, count, ROUND):
        result = Round(program, maker, first, min(ROUND, count - first), folder).run()
        print(json.dumps(result), flush=True)
        for name in ("messages", "accepted", "dead"):
            total[name] += result[name]
        failed = failed or bool(result["faults"])
        if failed:
            break
    seconds = time.monotonic() - began
    rate = total["messages"] / seconds
    print(f"{total['messages']} messages: {total['accepted']} accepted, {total['dead']} dead letters, {seconds:.0f} s, {rate:.0f}/s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

"""Another service that listens: it has a queue of its own on push.events."""

import json
import time
from collections import Counter


class Events:
    def __init__(self, channel, hub):
        self.channel = channel
        self.source = f"/hubs/{hub}"
        self.queue = channel.queue_declare("", exclusive=True).method.queue
        channel.queue_bind(self.queue, "push.events", "notification.#")
        self.seen = {}  # an event that is told again has the same id

    def wait(self, count, seconds=15):
        """Takes what has come until so many are there."""
        deadline = time.monotonic() + seconds
        while len(self.seen) < count and time.monotonic() < deadline:
            method, _, body = self.channel.basic_get(self.queue, auto_ack=True)
            if method is None:
                time.sleep(0.02)
                continue
            event = json.loads(body)
            if event["source"] == self.source:
                self.seen[event["id"], event["subject"], event["data"]["installationId"]] = event

    def kinds(self):
        return Counter(event["type"].rpartition(".")[2] for event in self.seen.values())

    def replies(self):
        """What users wrote, as a chat service takes it."""
        return {
            (event["data"]["userId"], event["data"]["text"]) for event in self.seen.values() if event["type"].endswith(".reply")
        }

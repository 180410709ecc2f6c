"""What the phones and the back end of the demo live in: the hub's two doors, the gateway's file and the ledger."""

import json
import uuid
from pathlib import Path

import client
import enqueue
from comparison import Comparison
from gateway import Gateway
from ledger import Ledger
from phone import Phone

HUB = "phones"

# Five people and what they carry: all six platforms, one who refused notifications on a device and one who allowed them quietly.
PEOPLE = {
    "alice": [("iphone", "apns"), ("ipad", "apns"), ("browser", "browser")],
    "bob": [("pixel", "fcmV1"), ("laptop", "wns"), ("watch", "apns")],
    "carol": [("mate", "hms"), ("fire", "adm"), ("iphone", "apns")],
    "dave": [("iphone", "apns"), ("pixel", "fcmV1")],
    "erin": [("iphone", "apns")],
}
PERMISSIONS = {"dave-iphone": "denied", "erin-iphone": "provisional"}
# These apps register through a service that speaks AMQP.
BY_MESSAGE = {"carol-mate", "carol-fire"}


class World(Comparison):
    hub = HUB

    def __init__(self, program, address, key, database, channel, witness):
        super().__init__()
        self.program = program
        self.home = Path(witness).parent
        self.address = address
        self.public = f"http://{address}"
        self.database = database
        self.channel = channel
        self.gateway = Gateway(witness)
        self.ledger = Ledger()
        self.backend = client.Client(address, client.signed(address, key["name"], key["primary"]))
        self.facts = 0
        self.phones = {}
        for user, devices in PEOPLE.items():
            for name, platform in devices:
                phone_id = f"{user}-{name}"
                permission = PERMISSIONS.get(phone_id, "authorized")
                reporter = self.publish_receipt if phone_id == "carol-fire" else None
                self.phones[phone_id] = Phone(phone_id, user, platform, self, permission, reporter)

    def of(self, user):
        return [phone for phone in self.phones.values() if phone.user == user]

    def same(self, name, expected, found):
        """One fact of a scenario: only a difference is shown, the rest is counted."""
        self.facts += 1
        if expected != found:
            self.check(name, expected, found)

    def story(self, scenario, text):
        print(f"  {scenario}  {text}", flush=True)

    def unread_in_sql(self, user):
        rows = self.database.rows(f"SELECT thread, unread FROM dashboard.unread WHERE hub = '{HUB}' AND user_id = '{user}'")
        return {(user, thread or None): int(count) for thread, count in rows}

    def publish(self, key, document, message_id=None):
        enqueue.publish_to(self.channel, key, json.dumps(document), message_id)

    def publish_receipt(self, receipt):
        self.publish("receipts", receipt)

    def send(self, scenario, to, content, phones, options=None, by="amqp", member="content", **ledger):
        """Sends a job as another service does, over AMQP or HTTP; answers its id."""
        job = {"id": str(uuid.uuid4()), "to": to, member: content, "options": {"priority": "high", **(options or {})}}
        self.ledger.sent(scenario, job["id"], phones, **ledger)
        if by == "amqp":
            self.publish("jobs.high", job | {"hub": HUB}, job["id"])
        else:
            self.same(f"{scenario} answer to a job", 202, self.backend.post("/api/jobs", job).status)
        return job["id"]

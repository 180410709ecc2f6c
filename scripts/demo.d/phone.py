"""A phone with the app on it: registers, is pushed, fetches, shows, and tells the hub what its user does."""

import datetime
import itertools
import uuid

import client


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


class Phone:
    """`reporter` publishes receipts over AMQP for an app that does not speak HTTP to the hub; without one it reports by HTTP."""

    def __init__(self, phone_id, user, platform, world, permission="authorized", reporter=None):
        self.id = phone_id
        self.user = user
        self.platform = platform
        self.permission = permission
        self.world = world
        self.reporter = reporter
        self.http = None
        self.numbers = itertools.count(1)
        self.categories = {}

    def registration(self):
        token = f"ok-{uuid.uuid5(uuid.NAMESPACE_OID, self.id).hex}"
        channel = token
        if self.platform == "browser":
            channel = {"endpoint": f"https://push.example.net/{token}", "p256dh": "BNcR", "auth": "tBHI"}
        elif self.platform == "wns":
            channel = f"https://wns2.notify.windows.com/{token}"
        return {
            "userId": self.user, "platform": self.platform, "pushChannel": channel,
            "tags": [f"username:{self.user}"], "permission": self.permission,
        }  # fmt: skip

    def adopt(self, secret, by_name=True):
        """Keeps the secret that the first registration answered; from now on the phone is known by it."""
        authorization = client.basic(self.id, secret) if by_name else client.bearer(secret)
        self.http = client.Client(self.world.address, authorization)

    def launch(self):
        """What an app does at launch: declares the hub's categories to the system, and asks only when they have changed."""
        answer = self.http.get("/api/categories").expect(200)
        self.categories = {category["id"]: category for category in answer.json()["categories"]}
        unchanged = self.http.get("/api/categories", **{"If-None-Match": answer.headers["ETag"]})
        return unchanged.status

    def receive(self, notification):
        """The push of this notification, once it has arrived."""
        return self.world.gateway.wait(self.id, lambda push: push.job == notification)

    def buttons(self, push):
        """What the system draws: those of the push, else those of the category that the app has declared to it."""
        category = push.aps.get("category") if push.platform == "apns" else push.data.get("category")
        if push.buttons or push.platform in ("browser", "wns") or category not in self.categories:
            return push.buttons
        return [action["id"] for action in self.categories[category]["actions"]]

    def fetch(self, push):
        """Rich content by the integer in the push: media type and bytes."""
        answer = self.http.get(f"/api/notifications/{push.member('richId')}").expect(200)
        self.world.ledger.report(self, push.notification, "fetched")
        return answer.headers["Content-Type"], answer.body

    def display(self, push):
        self.report(push, "displayed")

    def open(self, push):
        self.report(push, "read")

    def read_thread(self, thread):
        """A whole conversation is opened."""
        self.http.post("/api/inbox/read", {"thread": thread}).expect(200)
        self.world.ledger.read_all(self, thread)

    def dismiss(self, push):
        self.report(push, "dismissed")

    def press(self, push, action, response="dismiss"):
        self.report(push, "action", actionId=action, response=response)

    def reply(self, push, action, text, response="dismiss"):
        self.report(push, "reply", actionId=action, text=text, response=response)

    def report(self, push, kind, **answer):
        receipt = {
            "id": f"{self.id}-{next(self.numbers)}", "notificationId": push.notification, "kind": kind, "at": now(), **answer,
        }  # fmt: skip
        if self.reporter:
            self.reporter(receipt | {"hub": self.world.hub, "installationId": self.id})
        else:
            self.http.post("/api/receipts", receipt).expect(200)
        self.world.ledger.report(self, push.notification, kind, **answer)


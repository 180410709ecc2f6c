"""What the demo registers and sends, and what must come of it, worked out here without asking Dispatcher."""

import collections
import json
import random
import uuid

DEVICES = 1_000
DEVICES_OF_USERS = [1, 2, 3, 2]
LANGUAGES = ["en", "en", "fr", "de", "es"]
EXPRESSION = "news && (lang:en || lang:fr) && !muted"
SINGLE_JOBS = 300

# How many devices the simulated gateway is told to treat in which way, by the prefix of their push channel.
SCRIPTS = {"dead": 20, "retry2": 30, "after3": 10, "large": 6}
DENIED = 8

# One device on each platform, of one user who reads French, each with the template its app brought; the last brought none.
FAMILY_USER = "zoe"
FAMILY = {
    "apns": '{"aps":{"alert":{"title":"$(city)","body":"{\'It is \' + $(degrees) + \' degrees\'}"}}}',
    "fcmV1": '{"message":{"notification":{"title":"$(city)"},"data":{"degrees":"$(degrees)"}}}',
    "browser": '{"title":"$(city)","body":"{$(degrees) + \' degrees\'}"}',
    "wns": '<toast><visual><binding template="ToastGeneric"><text>$(city)</text></binding></visual></toast>',
    "adm": '{"data":{"city":"$(city)","degrees":"$(degrees)"}}',
    "hms": None,
}
CONTENT_FOR_ALL = {
    "title": "Photo of the day", "body": "Look at this lake.", "category": "photo", "thread": "photos", "badge": 1,
    "localizations": {"fr": {"title": "La photo du jour", "body": "Regardez ce lac."}},
    "attachment": {"url": "https://example.com/lake.jpg", "type": "image/jpeg"},
    "actions": [{"id": "like", "title": "J’aime"}], "data": {"photo": 4711},
}  # fmt: skip

Outcome = collections.namedtuple("Outcome", "state reason attempts ambiguous")

# The gateways' own words, as the simulated gateway repeats them.
REASONS = {
    ("dead", "apns"): "Unregistered", ("dead", "fcmV1"): "UNREGISTERED",
    ("large", "apns"): "PayloadTooLarge", ("large", "fcmV1"): "INVALID_ARGUMENT(size)",
}  # fmt: skip


class Device:
    def __init__(self, number, user, dice):
        self.id = f"device-{number:04}"
        self.user = user
        self.platform = dice.choice(["apns", "apns", "fcmV1", "fcmV1", "fcmV1"])
        self.tags = {f"username:{user}", f"lang:{dice.choice(LANGUAGES)}", f"version:{dice.randint(5, 8)}"}
        for tag, share in [("news", 0.6), ("sports", 0.3), ("muted", 0.1)]:
            if dice.random() < share:
                self.tags.add(tag)
        self.script = "ok"
        self.is_denied = False

    def registration(self):
        token = f"{self.script}-{uuid.uuid5(uuid.NAMESPACE_OID, self.id).hex}"
        return {
            "installationId": self.id, "userId": self.user, "platform": self.platform, "pushChannel": token,
            "tags": sorted(self.tags), "permission": "denied" if self.is_denied else "authorized",
        }  # fmt: skip

    def is_addressed_by_expression(self):
        return "news" in self.tags and bool({"lang:en", "lang:fr"} & self.tags) and "muted" not in self.tags

    def outcome(self):
        """What a push to this device ends as."""
        if self.is_denied:
            return Outcome("suppressed", "PermissionDenied", 0, False)
        if self.script in ("dead", "large"):
            return Outcome("failed", REASONS[self.script, self.platform], 1, False)
        if self.script == "retry2":
            # FCM was seen to deliver what it had answered with 503; a 503 of APNs is a clear no.
            return Outcome("accepted", None, 3, self.platform == "fcmV1")
        return Outcome("accepted", None, 2 if self.script == "after3" else 1, False)


class FamilyDevice(Device):
    def __init__(self, platform):
        self.id = f"zoe-{platform}"
        self.user = FAMILY_USER
        self.platform = platform
        self.tags = {"family"}
        self.script = "ok"
        self.is_denied = False

    def registration(self):
        registration = super().registration()
        token = registration["pushChannel"]
        if self.platform == "browser":
            registration["pushChannel"] = {"endpoint": f"https://push.example.net/{token}", "p256dh": "BNcR", "auth": "tBHI"}
        elif self.platform == "wns":
            registration["pushChannel"] = f"https://wns2.notify.windows.com/{token}"
        if FAMILY[self.platform]:
            registration["templates"] = {"weather": {"body": FAMILY[self.platform]}}
        return registration | {"locale": "fr-CA"}


class Workload:
    def __init__(self):
        dice = random.Random(7)
        self.devices = self._register(dice) + [FamilyDevice(platform) for platform in FAMILY]
        self.expected = {}  # job id -> {installation id -> outcome}
        self.messages = []  # (urgency, message id, body), in the order of publishing
        self.late_messages = []  # published when all of the first are done
        self.dead_letters = {}  # message id -> reason
        self._send_first(dice)
        self._send_late()

    def _register(self, dice):
        users = (f"user{number:03}" for number in range(DEVICES))
        devices = []
        while len(devices) < DEVICES:
            user = next(users)
            for _ in range(DEVICES_OF_USERS[len(devices) % 4]):
                devices.append(Device(len(devices) + 1, user, dice))
        devices = devices[:DEVICES]
        self.users = sorted({device.user for device in devices})
        self._script(devices, dice)
        return devices

    def _script(self, devices, dice):
        # The dead ones belong to users whom only the broadcast reaches: then no other job can find one retired or not,
        # depending on who comes first.
        self.single_users = self.users[:SINGLE_JOBS]
        silent = [device for device in devices if device.user not in self.single_users]
        chosen = {"dead": dice.sample(silent, SCRIPTS["dead"])}
        for device in chosen["dead"]:
            device.tags.discard("news")
        rest = [device for device in devices if device not in chosen["dead"]]
        dice.shuffle(rest)
        # Apple's 429 is about one device; Google's is about the project, and would stop all of Google's devices for a while,
        # as would server errors that come without much else.
        wanted = [("after3", "apns", SCRIPTS["after3"])]
        wanted += [("retry2", platform, SCRIPTS["retry2"] // 2) for platform in ["apns", "fcmV1"]]
        wanted += [("large", platform, SCRIPTS["large"] // 2) for platform in ["apns", "fcmV1"]]
        for name, platform, count in wanted:
            members = [device for device in rest if device.platform == platform][:count]
            chosen.setdefault(name, []).extend(members)
            rest = [device for device in rest if device not in members]
        for name, members in chosen.items():
            for device in members:
                device.script = name
        for device in rest[:DENIED]:
            device.is_denied = True

    def _devices_of(self, user):
        return [device for device in self.devices if device.user == user]

    def _send_first(self, dice):
        self._job({"broadcast": True}, "bulk", self.devices, title="Weekly news")
        for number, user in enumerate(self.single_users):
            to = {"users": [user]} if number % 2 else {"tags": f"username:{user}"}
            self._job(to, dice.choice(["high", "normal"]), self._devices_of(user), title=f"Hello {user}")
        matching = [device for device in self.devices if device.is_addressed_by_expression()]
        self._job({"tags": EXPRESSION}, "normal", matching, title="News in two languages")
        self._send_to_family()
        twice = self.single_users[0]
        self._job({"users": [twice]}, "normal", self._devices_of(twice), title="Sent twice")
        self.twice = self.messages[-1]
        self.messages.append(self.twice)
        self._expired(self.single_users[1])
        self._bad("invalidJSON", '{"to": {"broadcast": true}, "content": {"title": "cut o')
        self._bad("unknownMember", json.dumps({"to": {"users": ["user001"]}, "content": {"titel": "Hello"}}))
        self._bad("badExpression", json.dumps({"to": {"tags": "news &&"}, "content": {"title": "Hello"}}))

    def _send_to_family(self):
        family = self._devices_of(FAMILY_USER)
        self.content_for_all = self._content_job({"users": [FAMILY_USER]}, "high", family, {"content": CONTENT_FOR_ALL})
        properties = {"city": "Paris", "degrees": 21.5}
        template_job = self._content_job({"tags": "family"}, "normal", family, {"template": properties})
        without = Outcome("suppressed", "no-template", 0, False)
        self.expected[template_job] |= {device.id: without for device in family if not FAMILY[device.platform]}

    def _content_job(self, to, urgency, devices, content):
        job_id = str(uuid.uuid4())
        self.messages.append((urgency, job_id, json.dumps({"id": job_id, "to": to, **content})))
        self.expected[job_id] = {device.id: device.outcome() for device in devices}
        return job_id

    def _send_late(self):
        self.messages, first = self.late_messages, self.messages
        gone = next(device for device in self.devices if device.script == "dead")
        alive = [device for device in self._devices_of(gone.user) if device.script != "dead"]
        self._job({"users": [gone.user]}, "high", alive, title="After the retirement")
        urgency, job_id, _ = self.twice
        self._bad("conflictingJob", self._body(job_id, {"users": [self.single_users[0]]}, "Another body"), job_id)
        self.messages = first

    def _body(self, job_id, to, title, **options):
        job = {"id": job_id, "to": to, "content": {"title": title, "body": "From the demo", "data": {"demo": True}}}
        if options:
            job["options"] = options
        return json.dumps(job)

    def _job(self, to, urgency, devices, title):
        job_id = str(uuid.uuid4())
        self.messages.append((urgency, job_id, self._body(job_id, to, title)))
        self.expected[job_id] = {device.id: device.outcome() for device in devices}

    def _expired(self, user):
        job_id = str(uuid.uuid4())
        body = self._body(job_id, {"users": [user]}, "Too late", expiresAt="2020-01-01T00:00:00Z")
        self.messages.append(("normal", job_id, body))
        outcome = Outcome("expired", "Expired", 0, False)
        self.expected[job_id] = {device.id: outcome for device in self._devices_of(user)}

    def _bad(self, reason, body, job_id=None):
        job_id = job_id or str(uuid.uuid4())
        self.messages.append(("normal", job_id, body))
        self.dead_letters[job_id] = reason

    def outcomes(self):
        """Every expected delivery as (job id, installation id, outcome)."""
        for job_id, devices in self.expected.items():
            for installation_id, outcome in devices.items():
                yield job_id, installation_id, outcome

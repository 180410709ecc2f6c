"""What the phones have done and what must be in the hub's tables because of it, kept here without asking the hub."""

from collections import Counter, defaultdict

KINDS = ["fetched", "displayed", "read", "dismissed", "action", "reply"]


class Delivery:
    """One notification on one phone: the first report of each kind stays, and a reply is an answer too."""

    def __init__(self, state, reason):
        self.state = state
        self.reason = reason
        self.reported = set()
        self.action = None
        self.response = None

    def report(self, kind, action, response):
        self.reported.add(kind)
        if kind in ("action", "reply") and "answered" not in self.reported:
            self.reported.add("answered")
            self.action, self.response = action, response

    def facts(self):
        seen = tuple(kind in self.reported for kind in ["fetched", "displayed", "read", "dismissed", "answered", "reply"])
        return (self.state, self.reason, *seen, self.action, self.response)


class Ledger:
    def __init__(self):
        self.scenarios = {}  # notification -> scenario
        self.deliveries = {}  # (notification, installation) -> Delivery
        self.receipts = Counter()  # (notification, installation, kind, action, text, response) -> how often
        self.threads = {}  # (user, notification) -> thread, of what is kept in the user's inbox
        self.read = set()  # (user, notification)

    def sent(self, scenario, notification, phones, outcomes=None, keeps=True, thread=None):
        """`outcomes` has (state, reason) by platform where the gateway is not to take it."""
        self.scenarios[notification] = scenario
        for phone in phones:
            state, reason = (outcomes or {}).get(phone.platform, ("accepted", None))
            if phone.permission == "denied":
                state, reason = "suppressed", "PermissionDenied"
            self.deliveries[notification, phone.id] = Delivery(state, reason)
            if keeps:
                self.threads[phone.user, notification] = thread

    def report(self, phone, notification, kind, actionId=None, text=None, response=None):
        self.receipts[notification, phone.id, kind, actionId, text, response] += 1
        self.deliveries[notification, phone.id].report(kind, actionId, response)
        if kind in ("read", "action", "reply"):
            self.read.add((phone.user, notification))

    def read_all(self, phone, thread):
        """What a user does who opens a conversation: all of it that was unread is read, on that phone."""
        for (user, notification), its_thread in self.threads.items():
            if user == phone.user and its_thread == thread and (user, notification) not in self.read:
                self.report(phone, notification, "read")

    def unread(self, user=None):
        """Counts by (user, thread)."""
        left = set(self.threads) - self.read
        return dict(Counter((key[0], self.threads[key]) for key in left if user in (None, key[0])))

    def funnel(self):
        """Counts by scenario, in the order of the funnel's columns."""
        columns = defaultdict(Counter)
        for scenario in self.scenarios.values():
            columns[scenario]["notifications"] += 1
        for (notification, _), delivery in self.deliveries.items():
            counts = columns[self.scenarios[notification]]
            counts["devices"] += 1
            counts[delivery.state] += 1
            for kind in delivery.reported:
                counts[kind] += 1
        return columns

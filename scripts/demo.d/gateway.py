"""What arrives on the phones: the simulated gateway writes each push that it takes into a file, which is read here."""

import json
import time
import xml.etree.ElementTree


class Push:
    """One push as the phone's system gets it."""

    def __init__(self, line):
        self.job = line["notificationId"]
        self.installation = line["installationId"]
        self.platform = line["platform"]
        self.headers = {name.lower(): value for name, value in line["headers"].items()}
        self.payload = line["payload"]
        self.data = getattr(self, "_data_" + self.platform)()
        # What the app knows it by: a push that takes the place of another has that one's.
        self.notification = self.data.get("notificationId", self.job)

    def _data_apns(self):
        return {name: value for name, value in self.payload.items() if name != "aps"}

    def _data_fcmV1(self):
        return self.payload["message"]["data"]

    def _data_hms(self):
        return json.loads(self.payload["message"]["data"])

    def _data_adm(self):
        return self.payload["data"]

    def _data_browser(self):
        return self.payload["notification"]["data"]

    def _data_wns(self):
        if isinstance(self.payload, dict):
            return self.payload
        launch = self.toast.get("launch")
        return json.loads(launch) if launch else {}

    @property
    def aps(self):
        return self.payload["aps"]

    @property
    def toast(self):
        return xml.etree.ElementTree.fromstring(self.payload)

    def member(self, name):
        """A member of the data by its JSON type; FCM and ADM know texts alone."""
        value = self.data.get(name)
        if self.platform in ("fcmV1", "adm") and isinstance(value, str):
            try:
                return json.loads(value)
            except ValueError:
                return value
        return value

    @property
    def buttons(self):
        """The ids of the buttons that come with the push; a declared category of an app's own is none of them."""
        if self.platform == "browser":
            return [action["action"] for action in self.payload["notification"].get("actions", [])]
        if self.platform == "wns":
            found = [json.loads(action.get("arguments"))["action"] for action in self.toast.iter("action")]
            return found
        return [action["id"] for action in self.member("actions") or []]

    @property
    def badge(self):
        """The number on the app's icon, if the push says one."""
        if self.platform == "apns":
            return self.aps.get("badge")
        if self.platform == "browser":
            return self.payload["notification"].get("app_badge")
        if self.platform == "fcmV1" and "notification" in self.payload["message"].get("android", {}):
            return self.payload["message"]["android"]["notification"].get("notification_count")
        return self.member("badge")


class Gateway:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.file.seek(0, 2)
        self.rest = b""
        self.pushes = {}  # installation id -> what it got, oldest first

    def close(self):
        self.file.close()

    def read(self):
        lines = (self.rest + self.file.read()).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            push = Push(json.loads(line))
            self.pushes.setdefault(push.installation, []).append(push)

    def wait(self, installation, is_wanted, seconds=15):
        """The first push of the device that is wanted, once it is there."""
        deadline = time.monotonic() + seconds
        while True:
            self.read()
            for push in self.pushes.get(installation, []):
                if is_wanted(push):
                    return push
            if time.monotonic() > deadline:
                raise RuntimeError(f"{installation} waited {seconds} s for a push in vain")
            time.sleep(0.005)

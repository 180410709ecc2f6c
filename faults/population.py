"""The devices of a campaign: the same for the same seed, and everything about a push to one follows from its script."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from random import Random
from typing import Iterable

HUBS = ("default", "side")
FORGETFUL = "forgetful"  # the hub whose users are erased
PLATFORMS = ("apns", "fcmV1", "browser", "wns", "adm", "hms")
LANGUAGES = ("en", "fr", "de", "es")
SEGMENTS = 20
SIDE_SHARE = 5  # every fifth device belongs to the second hub
DENIED = 0.02
# A device's share of each script. Google's 429 and most servers' are about all devices of a project, Apple's about one.
SCRIPTS = {"dead": 0.01, "large": 0.01, "retry1": 0.02}
THROTTLED_APPLE = 0.04


@dataclass
class Device:
    """One installation, and what its gateway does."""

    id: str
    hub: str
    user: str
    platform: str
    tags: frozenset[str]
    script: str
    is_denied: bool
    canary: str
    revision: int = 0

    @property
    def is_well(self) -> bool:
        """Whether a push to it ends as accepted, sooner or later."""
        return self.script not in ("dead", "large") and not self.is_denied

    def final_states(self) -> set[str]:
        """What a push to it ends as when nothing else is wrong."""
        if self.is_denied:
            return {"suppressed"}
        return {"accepted"} if self.is_well else {"failed"}

    def registration(self) -> dict[str, object]:
        return {
            "installationId": self.id, "hub": self.hub, "userId": self.user, "platform": self.platform,
            "pushChannel": self._channel(), "tags": sorted(self.tags | {f"revision:{self.revision}"}),
            "permission": "denied" if self.is_denied else "authorized",
        }  # fmt: skip

    def _channel(self) -> object:
        token = f"{self.script}-{self.canary}{uuid.uuid5(uuid.NAMESPACE_OID, f'{self.hub} {self.id}').hex}"
        if self.platform == "browser":
            return {"endpoint": f"https://push.example.net/{token}", "p256dh": "BNcR", "auth": "tBHI"}
        return f"https://wns2.notify.windows.com/{token}" if self.platform == "wns" else token


@dataclass
class Population:
    """All devices by hub and by what addresses them."""

    seed: int
    canary: str
    devices: list[Device] = field(default_factory=list)

    @classmethod
    def make(cls, seed: int, count: int) -> Population:
        dice = Random(f"population {seed}")
        population = cls(seed, canary=f"canary{dice.getrandbits(64):016x}")
        user = 0
        while len(population.devices) < count:
            user += 1
            hub = HUBS[user % SIDE_SHARE == 0]
            for _ in range(dice.choice((1, 1, 2, 3))):
                population.devices.append(population._device(len(population.devices), f"user-{user}", hub, dice))
        return population

    def _device(self, number: int, user: str, hub: str, dice: Random) -> Device:
        platform = PLATFORMS[number % len(PLATFORMS)]
        tags = {f"lang:{dice.choice(LANGUAGES)}", f"segment:{dice.randrange(SEGMENTS)}", f"username:{user}"}
        tags |= {tag for tag, share in (("news", 0.6), ("sports", 0.3), ("muted", 0.1)) if dice.random() < share}
        return Device(
            id=f"device-{number:05}", hub=hub, user=user, platform=platform, tags=frozenset(tags),
            script=_script(platform, dice.random()), is_denied=dice.random() < DENIED, canary=self.canary,
        )  # fmt: skip

    def of_hub(self, hub: str) -> list[Device]:
        return [device for device in self.devices if device.hub == hub]

    def users(self, hub: str) -> list[str]:
        """Those with a device that is well, each once."""
        return list(dict.fromkeys(device.user for device in self.of_hub(hub) if device.script != "dead"))

    def visitors(self, hub: str, users: list[str]) -> list[Device]:
        """One device for each of these users, which are none of the population's."""
        return [
            Device(
                id=f"{user}-phone", hub=hub, user=user, platform=PLATFORMS[number % len(PLATFORMS)], tags=frozenset(),
                script="ok", is_denied=False, canary=self.canary,
            )
            for number, user in enumerate(users)
        ]  # fmt: skip


def audience(devices: Iterable[Device]) -> tuple[frozenset[str], frozenset[str]]:
    """The devices that must be addressed, and those that may be: a dead one is retired by the first push to it."""
    devices = list(devices)
    sure = frozenset(device.id for device in devices if device.script != "dead")
    return sure, frozenset(device.id for device in devices) - sure


def _script(platform: str, draw: float) -> str:
    if platform == "apns" and draw > 1 - THROTTLED_APPLE:
        return "after1"
    for name, share in SCRIPTS.items():
        if draw < share:
            return name
        draw -= share
    return "ok"

"""Connections that are cut, half-open, slow or refused, to the broker and to the database."""

from __future__ import annotations

import time
from random import Random

from fault import fault
from lasting import Lasting
from proxy import Proxy
from stage import Stage


class NetworkFault(Lasting):
    """Between the workers and one server; whoever publishes the load has another way."""

    side = "amqp"

    def proxy(self, stage: Stage) -> Proxy:
        return getattr(stage.proxies, self.side)

    def heal(self, stage: Stage) -> None:
        self.proxy(stage).heal()


class Cuts(NetworkFault):
    """Every connection is reset, again and again."""

    seconds = 20

    def begin(self, stage: Stage, dice: Random) -> None:
        while time.monotonic() < self.began + self.seconds:
            self.proxy(stage).cut()
            time.sleep(dice.uniform(0.2, 4))


class HalfOpen(NetworkFault):
    """Nothing arrives any more in one direction or both, and TCP still acknowledges."""

    seconds = 45
    rate = 12
    directions: tuple[bool, bool] = (True, True)

    def begin(self, stage: Stage, dice: Random) -> None:
        up, down = self.directions
        self.proxy(stage).stall(up, down)


class Refused(NetworkFault):
    """Every connection is reset, and no new one is taken."""

    seconds = 20

    def begin(self, stage: Stage, dice: Random) -> None:
        self.proxy(stage).refuse()


class Slow(NetworkFault):
    """Everything takes a while."""

    seconds = 20

    def begin(self, stage: Stage, dice: Random) -> None:
        self.proxy(stage).delay(dice.uniform(0.02, 0.2))


class Trickling(NetworkFault):
    """Little arrives, and that slowly."""

    seconds = 20

    def begin(self, stage: Stage, dice: Random) -> None:
        self.proxy(stage).trickle(dice.randrange(500, 4000))


@fault
class BrokerCuts(Cuts):
    """Connections to the broker are reset again and again."""

    name = "broker-cuts"
    reference = ("F3",)


@fault
class BrokerHalfOpen(HalfOpen):
    """Connections to the broker are half-open in both directions."""

    name = "broker-half-open"
    reference = ("F6",)


@fault
class BrokerDeaf(HalfOpen):
    """The broker hears nothing more of the workers, and they hear it."""

    name = "broker-half-open-up"
    reference = ("F6",)
    directions = (True, False)


@fault
class BrokerMute(HalfOpen):
    """The workers hear nothing more of the broker, and it hears them."""

    name = "broker-half-open-down"
    reference = ("F6",)
    directions = (False, True)


@fault
class BrokerRefused(Refused):
    """The broker's address takes no connection."""

    name = "broker-refused"
    reference = ("F3",)


@fault
class BrokerSlow(Slow):
    """The way to the broker is long."""

    name = "broker-slow"
    reference = ("F6",)


@fault
class BrokerTrickling(Trickling):
    """The way to the broker is narrow."""

    name = "broker-trickling"
    reference = ("F6",)


class DatabaseSide(NetworkFault):
    side = "database"
    ambiguous = True


@fault
class DatabaseCuts(DatabaseSide, Cuts):
    """Connections to the database are reset again and again."""

    name = "database-cuts"
    reference = ("F14",)


@fault
class DatabaseHalfOpen(DatabaseSide, HalfOpen):
    """Connections to the database are half-open in both directions; what was sent arrives late."""

    name = "database-half-open"
    reference = ("F15", "F31")


@fault
class DatabaseDeaf(DatabaseSide, HalfOpen):
    """The database hears nothing more of the workers, until it is too late."""

    name = "database-half-open-up"
    reference = ("F15", "F31")
    directions = (True, False)


@fault
class DatabaseMute(DatabaseSide, HalfOpen):
    """The workers hear nothing more of the database, which does what they ask."""

    name = "database-half-open-down"
    reference = ("F14", "F15", "F31")
    directions = (False, True)


@fault
class DatabaseRefused(DatabaseSide, Refused):
    """The database's address takes no connection."""

    name = "database-refused"
    reference = ("F12",)


@fault
class DatabaseSlow(DatabaseSide, Slow):
    """The way to the database is long."""

    name = "database-slow"
    reference = ("F15",)


@fault
class DatabaseTrickling(DatabaseSide, Trickling):
    """The way to the database is narrow."""

    name = "database-trickling"
    reference = ("F15",)

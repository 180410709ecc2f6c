"""A PostgreSQL that restarts, dies, freezes, refuses, or waits for locks."""

from __future__ import annotations

import threading
import time
from random import Random

from fault import fault
from lasting import Lasting
from sessions import Session
from stage import Stage

TABLES = ("dispatcher.batch", "dispatcher.notification", "dispatcher.delivery", "dispatcher.progress")


class DatabaseFault(Lasting):
    """None of these is a reason to give a message back to the broker, or to file it as a dead letter."""

    ambiguous = True


@fault
class Restart(DatabaseFault):
    """PostgreSQL is restarted; sessions are ended."""

    name = "database-restart"
    reference = ("F12",)
    seconds = 0
    expected = 5

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.restart("fast")


@fault
class Crash(DatabaseFault):
    """PostgreSQL crashes, recovers and comes back after a while."""

    name = "database-crash"
    reference = ("F12",)
    seconds = 0
    expected = 10

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.primary.stop("immediate")
        time.sleep(dice.uniform(0, 8))
        stage.database.primary.start()


@fault
class LongOutage(DatabaseFault):
    """PostgreSQL is away for longer than leases and any pause between two tries."""

    name = "database-away"
    reference = ("F12",)
    seconds = 45
    rate = 12

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.primary.stop("fast")

    def heal(self, stage: Stage) -> None:
        stage.database.primary.start()


@fault
class BackendKilled(DatabaseFault):
    """One backend after the other is killed: each time the server ends all sessions and recovers."""

    name = "database-backend-killed"
    reference = ("F12",)
    seconds = 0
    expected = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        for _ in range(3):
            stage.database.kill_backend(dice)
            time.sleep(dice.uniform(2, 5))


@fault
class BackendsTerminated(DatabaseFault):
    """The workers' sessions are ended again and again, as an administrator does."""

    name = "database-sessions-ended"
    reference = ("F12",)

    def begin(self, stage: Stage, dice: Random) -> None:
        while time.monotonic() < self.began + self.seconds:
            stage.database.terminate_backends()
            time.sleep(dice.uniform(0.05, 1.5))


@fault
class LostCommits(DatabaseFault):
    """The answers to COMMIT are lost with their connections: the server has committed, and nobody knows."""

    name = "database-lost-commits"
    reference = ("F14",)
    seconds = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        proxy = stage.proxies.database
        before = proxy.dropped_commits
        while time.monotonic() < self.began + self.seconds:
            proxy.drop_commits(1)
            time.sleep(dice.uniform(0.05, 0.5))
        proxy.drop_commits(0)
        self.dropped = proxy.dropped_commits - before

    def check(self, stage: Stage) -> list[str]:
        """Each loses a connection at once, so tries are not counted here."""
        return [] if self.dropped > 3 else [f"only {self.dropped} answers to COMMIT came by"]


@fault
class Frozen(DatabaseFault):
    """PostgreSQL answers nothing, and its kernel still acknowledges."""

    name = "database-frozen"
    reference = ("F15",)
    seconds = 45
    rate = 12

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.freeze()

    def heal(self, stage: Stage) -> None:
        stage.database.thaw()


@fault
class NoPlace(DatabaseFault):
    """Somebody else has every one of max_connections."""

    name = "database-no-connection-left"
    reference = ("F12",)
    seconds = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.take_all_connections()


@fault
class LoginsRefused(DatabaseFault):
    """The database takes no connection, and has ended those that there were."""

    name = "database-logins-refused"
    reference = ("F12",)
    seconds = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.refuse_logins()


@fault
class Locked(DatabaseFault):
    """Somebody locks one table after the other, for longer than the workers wait for a lock."""

    name = "database-locked"
    reference = ("F17",)
    seconds = 28

    def begin(self, stage: Stage, dice: Random) -> None:
        for table in dice.sample(TABLES, len(TABLES)):
            session = stage.database.lock(table, dice.choice(("share row exclusive", "exclusive", "access exclusive")))
            time.sleep(7)
            session.close()


@fault
class Deadlocks(DatabaseFault):
    """Somebody locks rows of work against the order of the workers, and commits or loses."""

    name = "database-deadlocks"
    reference = ("F17",)
    seconds = 20

    def begin(self, stage: Stage, dice: Random) -> None:
        hands = [threading.Thread(target=self._quarrel, args=(stage.database.session(),)) for _ in range(4)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()

    def _quarrel(self, session: Session) -> None:
        while time.monotonic() < self.began + self.seconds:
            session.ask(
                "begin; set local lock_timeout = '5s';"
                " select id from dispatcher.notification order by id desc limit 40 for update;"
                " select id from dispatcher.batch order by id desc limit 40 for update;"
                " select notification_id from dispatcher.delivery order by 1 desc, installation_id desc limit 400 for update;"
                " commit"
            )
            session.ask("rollback")
            time.sleep(0.05)


@fault
class OldSnapshot(DatabaseFault):
    """A dashboard's long transaction keeps every dead row from being removed."""

    name = "database-old-snapshot"
    reference = ("F17",)
    seconds = 60
    rate = 40

    def begin(self, stage: Stage, dice: Random) -> None:
        session = stage.database.session()
        session.ask("begin isolation level repeatable read; select count(*) from dashboard.deliveries")

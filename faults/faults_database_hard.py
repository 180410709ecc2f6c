"""A PostgreSQL without space, and one that hands over to its standby."""

from __future__ import annotations

import time
from random import Random

from fault import fault
from faults_database import DatabaseFault
from stage import Stage


class FullDisk(DatabaseFault):
    """What is not recorded is not acknowledged, and goes on when there is space."""

    reference = ("F16",)
    needs = ("proxies", "small-disk")
    seconds = 25
    rate = 20
    disk = ""

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.disks[self.disk].fill()

    def heal(self, stage: Stage) -> None:
        stage.database.disks[self.disk].empty()


@fault
class FullTables(FullDisk):
    """The disk of the tables is full."""

    name = "database-disk-full"
    disk = "tables"

    def prepare(self, stage: Stage) -> None:
        stage.database.put_tables_on_small_disk()


@fault
class FullLog(FullDisk):
    """The disk of the write-ahead log is full: the server crashes and cannot recover before there is space."""

    name = "database-log-disk-full"
    disk = "wal"

    def prepare(self, stage: Stage) -> None:
        stage.database.put_log_on_small_disk()

    def begin(self, stage: Stage, dice: Random) -> None:
        super().begin(stage, dice)
        stage.database.use_up_log()


class Failover(DatabaseFault):
    """The standby takes over. Synchronous, so that nothing that was committed is lost."""

    reference = ("F13",)
    needs = ("proxies", "standby")
    seconds = 0
    expected = 10

    def environment(self, stage: Stage) -> dict[str, str]:
        return {"DISPATCHER_DATABASE_URL": stage.database.url_of_both}

    def prepare(self, stage: Stage) -> None:
        stage.database.add_standby(synchronous=True)
        stage.http.stop()
        stage.http.start()

    def begin(self, stage: Stage, dice: Random) -> None:
        old = stage.database.primary
        old.stop("immediate")
        time.sleep(dice.uniform(0, 5))
        stage.database.promote()


@fault
class FailoverByURL(Failover):
    """The primary crashes, the standby takes over; the URL names both."""

    name = "database-failover"


@fault
class FailoverByAddress(Failover):
    """The same behind one address, which leads to the standby before it may write."""

    name = "database-failover-behind-an-address"

    def environment(self, stage: Stage) -> dict[str, str]:
        ports = (stage.database.primary.port, stage.database.standby_port)
        stage.proxies.database.targets = [("127.0.0.1", port) for port in ports]
        return {}


@fault
class Switchover(Failover):
    """The primary is stopped in an orderly manner and the standby, which is not synchronous, takes over."""

    name = "database-switchover"

    def prepare(self, stage: Stage) -> None:
        stage.database.add_standby(synchronous=False)
        stage.http.stop()
        stage.http.start()

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.database.primary.stop("fast")
        stage.database.promote()

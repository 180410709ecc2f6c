"""The private PostgreSQL of a stage, with a standby when one is wanted, and with what may happen to them."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from random import Random

import pids
from disk import SmallDisk
from postgres import Postgres, as_postgres, free_port
from process import wait_until
from psql import Psql
from sessions import Idler, Session
from stack import Stack

OURS = "application_name = 'dispatcher'"


class Database:
    """The database that the workers use. Whatever is done to it here, heal undoes."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.first = Postgres(Path(stack.state("postgres-home")), int(stack.state("postgres-port")))
        self.primary = self.first
        self.standby: Postgres | None = None
        self.standby_port = free_port()
        self.servers = [self.first]
        self.sessions: list[Session | Idler] = []
        self.disks: dict[str, SmallDisk] = {}
        self._refuses = False
        self.psql = Psql(lambda: self.primary.url)

    @property
    def url(self) -> str:
        return self.primary.url

    def rows(self, sql: str) -> list[list[str]]:
        """The rows of a statement; a session that is lost is opened again."""
        return self.psql.rows(sql)

    def value(self, sql: str) -> str:
        """The first value of a statement's first row."""
        return self.rows(sql)[0][0]

    # Stops and starts

    def restart(self, mode: str = "fast") -> None:
        self.primary.stop(mode)
        self.primary.start()

    def kill_backend(self, dice: Random) -> None:
        """One of the workers', by force: the server ends all sessions and recovers."""
        found = [int(row[0]) for row in self.rows(f"select pid from pg_stat_activity where {OURS} order by pid")]
        if found:
            pids.send(dice.choice(found), signal.SIGKILL)

    def terminate_backends(self) -> None:
        """The workers', as an administrator does."""
        self.rows(f"select pg_terminate_backend(pid) from pg_stat_activity where {OURS}")

    def freeze(self) -> None:
        """Nothing is answered, and the kernel still acknowledges."""
        self.primary.freeze()

    def thaw(self) -> None:
        self.primary.thaw()

    # Sessions of somebody else

    def session(self) -> Session:
        """A psql of somebody else; it ends with the fault."""
        session = Session(self.url)
        self.sessions.append(session)
        return session

    def lock(self, table: str, mode: str = "exclusive") -> Session:
        session = self.session()
        session.ask(f"begin; lock table {table} in {mode} mode")
        return session

    def take_all_connections(self) -> int:
        """Idlers in every place, those of the workers included; answers how many there are."""
        self.terminate_backends()
        idlers: list[Idler] = []
        while True:
            idlers.append(Idler(self.primary.port))
            self.sessions.append(idlers[-1])
            if not idlers[-1].is_in:
                return len(idlers) - 1

    def refuse_logins(self) -> None:
        """Nobody may connect to the database, whoever they are, and those who are there go."""
        self._refuses = True
        self._administrate("alter database dispatcher allow_connections false")
        self._administrate("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'dispatcher'")

    def admit_logins(self) -> None:
        self._administrate("alter database dispatcher allow_connections true")
        self._refuses = False

    def _administrate(self, sql: str) -> None:
        self.primary.query(sql, database="postgres")

    # Failover

    def add_standby(self, synchronous: bool) -> None:
        """A copy that follows the primary; synchronous: a commit waits for it."""
        standby = Postgres(self._new_home("standby"), self.standby_port)
        standby.copy_from(self.primary)
        standby.start()
        self.standby = standby
        self.servers.append(standby)
        wait_until(lambda: self.primary.query("select count(*) from pg_stat_replication") == "1", 30)
        if synchronous:
            self.set("synchronous_standby_names", "standby")

    def promote(self) -> None:
        """The standby takes over."""
        assert self.standby is not None
        # The next standby comes to where the old primary was.
        self.standby_port = self.primary.port
        self.primary, self.standby = self.standby, None
        self.set("synchronous_standby_names", "")
        self.primary.query("select pg_promote(true, 60)", seconds=70)

    @property
    def url_of_both(self) -> str:
        """Finds whichever of the two servers takes writes."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in (self.primary.port, self.standby_port))
        return f"postgresql://postgres@{hosts}/dispatcher?target_session_attrs=read-write"

    def set(self, name: str, value: str) -> None:
        """Changes a setting of the server for good."""
        self.primary.query(f"alter system set {name} = '{value}'")
        self.primary.query("select pg_reload_conf()")

    # Small disks

    def put_tables_on_small_disk(self, megabytes: int = 192) -> None:
        """All tables, with what will be made in the next days."""
        disk = self._small_disk("tables", megabytes)
        if disk is None:
            return
        self.primary.query(f"create tablespace small location '{disk.folder}/space'")
        for kind in ("table", "index"):
            self.primary.query(f"alter {kind} all in tablespace pg_default set tablespace small")
        self.primary.query("alter database dispatcher set default_tablespace = small")

    def put_log_on_small_disk(self, megabytes: int = 256) -> None:
        """The write-ahead log; needs a restart."""
        disk = self._small_disk("wal", megabytes)
        if disk is None:
            return
        self.set("min_wal_size", "32MB")
        self.set("max_wal_size", "64MB")
        self.primary.stop()
        self.primary.move_log(disk.folder / "space")
        self.primary.start()

    def use_up_log(self) -> None:
        """Begins new files of the write-ahead log until the server can make no more, and crashes."""
        for _ in range(50):
            try:
                self.primary.query("select txid_current(), pg_switch_wal()")
            except subprocess.SubprocessError:
                return

    def _small_disk(self, name: str, megabytes: int) -> SmallDisk | None:
        if name in self.disks:
            return None
        disk = SmallDisk(self.primary.home / f"{name}-disk", megabytes)
        disk.mount("postgres")
        self.disks[name] = disk
        as_postgres("mkdir", "--mode=0700", disk.folder / "space")
        return disk

    def _new_home(self, name: str) -> Path:
        home = self.first.home / f"{name}-{len(self.servers)}"
        as_postgres("mkdir", "--mode=0700", home)
        return home

    # Its end

    def heal(self) -> None:
        """Undoes whatever was done to it."""
        for session in self.sessions:
            session.close()
        self.sessions.clear()
        for disk in self.disks.values():
            disk.empty()
        self.primary.thaw()
        # A server that could not recover ends by itself, some time after.
        if not wait_until(self._is_up, 120, pause=0.5):
            raise RuntimeError("the database does not come back")
        if self._refuses:
            self.admit_logins()

    def _is_up(self) -> bool:
        try:
            self.primary.start()
            self.primary.query("select 1", database="postgres")
        except subprocess.SubprocessError:
            return False
        return True

    def close(self) -> None:
        """Ends what local-stack does not know of."""
        self.psql.close()
        for session in self.sessions:
            session.close()
        strangers = self.servers if self.disks else self.servers[1:]
        for server in strangers:
            server.thaw()
            server.stop("immediate")
        for disk in self.disks.values():
            disk.unmount()

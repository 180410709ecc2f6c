"""The broker and the database of a stage, with what may be done to them."""

from __future__ import annotations

from psql import Psql
from stack import Stack


class Broker:
    """The broker that the workers use."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack

    @property
    def url(self) -> str:
        return self.stack.amqp_url

    def heal(self) -> None:
        """Undoes whatever was done to it."""


class Database:
    """The database that the workers use."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.psql = Psql(lambda: self.url)

    @property
    def url(self) -> str:
        return self.stack.database_url

    def rows(self, sql: str) -> list[list[str]]:
        """The rows of a statement; a session that is lost is opened again."""
        return self.psql.rows(sql)

    def value(self, sql: str) -> str:
        """The first value of a statement's first row."""
        return self.rows(sql)[0][0]

    def heal(self) -> None:
        """Undoes whatever was done to it."""

    def close(self) -> None:
        self.psql.close()

"""The two servers' addresses."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def host_and_port(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "127.0.0.1", parts.port or 0


def with_port(url: str, port: int) -> str:
    """The same server behind another port."""
    parts = urlsplit(url)
    credentials, _, _ = parts.netloc.rpartition("@")
    host = f"127.0.0.1:{port}"
    return urlunsplit(parts._replace(netloc=f"{credentials}@{host}" if credentials else host))


def with_login(url: str, port: int, user: str, password: str) -> str:
    """The same server behind another port, for another login."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@127.0.0.1:{port}"))

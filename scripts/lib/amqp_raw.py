"""Speaks AMQP 0-9-1 just enough to publish anything at all: properties and header tables are octets of the caller's.

Ordinary clients refuse to send what a hostile one can. Standard library only. As a program it publishes one message
whose header is nested, or whose id is so many octets that are no text: amqp_raw.py URL ROUTING_KEY tables|arrays|id SIZE <BODY
"""

import itertools
import socket
import struct
import sys
import urllib.parse

METHOD, HEADER, BODY = 1, 2, 3
END = b"\xce"
# Bits of the property flags, in the order in which the properties follow.
CONTENT_TYPE, ENCODING, HEADERS, DELIVERY, PRIORITY = 1 << 15, 1 << 14, 1 << 13, 1 << 12, 1 << 11
CORRELATION, REPLY_TO, EXPIRATION, MESSAGE_ID, TIMESTAMP = 1 << 10, 1 << 9, 1 << 8, 1 << 7, 1 << 6
TYPE, USER_ID, APP_ID = 1 << 5, 1 << 4, 1 << 3
PACKERS = {DELIVERY: "B", PRIORITY: "B", TIMESTAMP: ">Q"}


class Refused(Exception):
    """The broker closed the channel or the connection: (code, text)."""


def short(text):
    data = text if isinstance(text, bytes) else text.encode()
    return bytes([len(data)]) + data


def long(data):
    return struct.pack(">I", len(data)) + data


def properties(values):
    """The content header's flags and properties; headers are the octets inside the table."""
    flags, out = 0, b""
    for flag in sorted(values, reverse=True):
        flags |= flag
        value = values[flag]
        if flag == HEADERS:
            out += long(value)
        elif flag in PACKERS:
            out += struct.pack(PACKERS[flag], value)
        else:
            out += short(value)
    return struct.pack(">H", flags) + out


def nested(kind, depth):
    """A table's inside whose one member holds so many tables or arrays, each inside the one before."""
    value = b""
    for level in range(depth):
        if kind == "arrays":
            value = b"A" + long(value)
        else:
            value = b"F" + long(b"" if level == 0 else b"\x00" + value)
    return short("deep") + value


class Channel:
    """One connection with one channel in confirm mode; messages are sent ahead of their confirms."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), 120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received, self.sent, self.refused = b"", 0, 0
        self.pending, self.open = [], {}
        self._open(parts)

    def _open(self, parts):
        self.socket.sendall(b"AMQP\x00\x00\x09\x01")
        self._wait((10, 10))
        login = f"\0{urllib.parse.unquote(parts.username)}\0{urllib.parse.unquote(parts.password)}"
        # Without the capability the broker would not say why it ends a connection.
        known = short("capabilities") + b"F" + long(short("publisher_confirms") + b"t\x01")
        self._send(10, 11, long(known) + short("PLAIN") + long(login.encode()) + short("en_US"))
        arguments = self._wait((10, 30))
        _, self.frame_max, _ = struct.unpack(">HIH", arguments[:8])
        self._send(10, 31, struct.pack(">HIH", 1, self.frame_max, 0))
        host = urllib.parse.unquote(parts.path[1:]) or "/"
        self._send(10, 40, short(host) + b"\x00\x00")
        self._wait((10, 41))
        self._send(20, 10, b"\x00", channel=1)
        self._wait((20, 11))
        self._send(85, 10, b"\x00", channel=1)
        self._wait((85, 11))

    @property
    def unsettled(self):
        return len(self.open)

    def publish(self, key, body, flags_and_properties, exchange="push.in"):
        """Queues one message; `flush` sends, `settle` waits."""
        method = struct.pack(">HHH", 60, 40, 0) + short(exchange) + short(key) + b"\x01"
        header = struct.pack(">HHQ", 60, 0, len(body)) + flags_and_properties
        if len(header) + 8 > self.frame_max:
            raise ValueError("the header does not fit into a frame")
        self._frame(METHOD, 1, method)
        self._frame(HEADER, 1, header)
        step = self.frame_max - 8
        for start in range(0, len(body), step):
            self._frame(BODY, 1, body[start:start + step])
        self.sent += 1
        self.open[self.sent] = True

    def flush(self):
        if self.pending:
            self.socket.sendall(b"".join(self.pending))
            self.pending = []

    def settle(self, left=0):
        """Waits until at most so many are unconfirmed."""
        self.flush()
        while self.unsettled > left:
            self._accept(*self._method())

    def _accept(self, name, arguments):
        if name in ((60, 80), (60, 120)):
            tag, multiple = struct.unpack(">QB", arguments[:9])
            # Confirms of several queues come out of order; the open ones are in the order of their tags.
            done = [tag]
            if multiple & 1:
                done = list(itertools.takewhile(lambda number: number <= tag, self.open))
            for number in done:
                self.open.pop(number, None)
            if name == (60, 120):
                self.refused += len(done)
        elif name in ((20, 40), (10, 50)):
            code = struct.unpack(">H", arguments[:2])[0]
            raise Refused(code, arguments[3:3 + arguments[2]].decode(errors="replace"))

    def purge(self, queue):
        """Empties a queue."""
        self._send(50, 30, b"\x00\x00" + short(queue) + b"\x00", channel=1)
        self._wait((50, 31))

    def close(self):
        self.socket.close()

    def _wait(self, wanted):
        self.flush()
        while True:
            name, arguments = self._method()
            if name == wanted:
                return arguments
            self._accept(name, arguments)

    def _method(self):
        """The next method; frames of other kinds (heartbeats, returned messages) are passed over."""
        while True:
            kind, payload = self._read_frame()
            if kind == METHOD:
                return struct.unpack(">HH", payload[:4]), payload[4:]

    def _read_frame(self):
        head = self._read(7)
        kind, _, size = struct.unpack(">BHI", head)
        payload = self._read(size + 1)
        return kind, payload[:-1]

    def _read(self, count):
        while len(self.received) < count:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                raise Refused(0, "the broker hung up")
            self.received += chunk
        data, self.received = self.received[:count], self.received[count:]
        return data

    def _frame(self, kind, channel, payload):
        self.pending.append(struct.pack(">BHI", kind, channel, len(payload)) + payload + END)

    def _send(self, group, method, arguments, channel=0):
        self._frame(METHOD, channel, struct.pack(">HH", group, method) + arguments)
        self.flush()


def main():
    url, key, kind, size = sys.argv[1:5]
    channel = Channel(url)
    hostile = {MESSAGE_ID: b"\xff" * int(size)} if kind == "id" else {HEADERS: nested(kind, int(size))}
    channel.publish(key, sys.stdin.buffer.read(), properties(hostile | {DELIVERY: 2}))
    channel.settle()
    channel.close()
    print(f"{channel.sent} published, {channel.refused} refused")


if __name__ == "__main__":
    main()

"""Small files of the kinds that notifications carry, made here so that nothing has to be brought along."""

import hashlib
import io
import struct
import wave
import zlib


def png(side=48):
    """A picture with a gradient."""
    rows = b"".join(b"\0" + bytes(v for x in range(side) for v in (x * 5, y * 5, 160)) for y in range(side))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def gif():
    """One red point."""
    palette = b"\xff\0\0\0\0\0"
    return b"GIF89a\1\0\1\0\x80\0\0" + palette + b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;"


def wav():
    """A tenth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    return file.getvalue()


def mp4():
    """The first box of a film, and one that is to be skipped."""
    kind = b"isom" + struct.pack(">I", 512) + b"isomiso2avc1mp41"
    boxes = [(b"ftyp", kind), (b"free", bytes(2048))]
    return b"".join(struct.pack(">I", 8 + len(data)) + name + data for name, data in boxes)


# What a device is told, and the bytes that it must get.
ATTACHMENTS = {"image/png": png(), "image/gif": gif(), "audio/wav": wav(), "video/mp4": mp4()}


def checksum(content):
    return hashlib.sha256(content).hexdigest()

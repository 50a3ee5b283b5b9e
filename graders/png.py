"""PNG images from a box, read and written again: no byte is passed on unchecked.

attack: a file that is an image to one program and a page to another; a chunk with a text, a profile or an animation
        in it; a picture of 60,000 by 60,000 that takes the reader's memory; a stream that inflates without end.
defence: only the five chunks that a picture needs are kept, in order, with our own checksums. Sizes are bounded before
         anything is inflated, and the inflated data must be exactly as long as the header says.
"""

import struct
import zlib
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
LARGEST_SIDE = 4096
MOST_CHUNKS = 4096
MOST_PALETTE = 3 * 256
INFLATED_AT_ONCE = 1 << 20
# colour type → (samples a pixel, the bit depths it may have)
_COLOURS = {0: (1, (1, 2, 4, 8, 16)), 2: (3, (8, 16)), 3: (1, (1, 2, 4, 8)), 4: (2, (8, 16)), 6: (4, (8, 16))}


class BadPng(ValueError):
    """Not a PNG that may be passed on. The text says why."""


@dataclass(frozen=True)
class Png:
    """`data` is written by us; sizes are in pixels."""

    data: bytes
    width: int
    height: int


def read_png(data: bytes, most_bytes: int) -> Png:
    """`data` reduced to what a picture needs. Raises BadPng."""
    if len(data) > most_bytes:
        raise BadPng(f"{len(data)} bytes, the limit is {most_bytes}")
    if not data.startswith(SIGNATURE):
        raise BadPng("no PNG signature")
    chunks = [(name, body) for name, body in _chunks(data) if name in KEPT]
    names = [name for name, _ in chunks]
    if names[:1] != [b"IHDR"] or names[-1:] != [b"IEND"] or names.count(b"IHDR") + names.count(b"IEND") != 2:
        raise BadPng("does not begin with a header and end with an end")
    if names != sorted(names, key=KEPT.index) or names.count(b"PLTE") > 1 or names.count(b"tRNS") > 1:
        raise BadPng("chunks out of order")
    width, height, length, colour = _header(chunks[0][1])
    if (b"PLTE" in names) is not (colour == 3):
        raise BadPng("a palette where there is none, or none where there is one")
    if any(name in (b"PLTE", b"tRNS") and len(body) > MOST_PALETTE for name, body in chunks) or chunks[-1][1]:
        raise BadPng("a chunk of a length it cannot have")
    pixels = b"".join(body for name, body in chunks if name == b"IDAT")
    _inflates_to(pixels, length)
    small = [(name, body) for name, body in chunks if name in (b"PLTE", b"tRNS")]
    parts = [chunks[0], *small, (b"IDAT", pixels), chunks[-1]]
    return Png(SIGNATURE + b"".join(_chunk(name, body) for name, body in parts), width, height)


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    chunks: list[tuple[bytes, bytes]] = []
    place = len(SIGNATURE)
    while place < len(data):
        if len(chunks) == MOST_CHUNKS or len(data) - place < 12:
            raise BadPng("too many chunks, or half of one")
        (length,) = struct.unpack_from(">I", data, place)
        end = place + 12 + length
        if end > len(data):
            raise BadPng("a chunk longer than the file")
        name, body = data[place + 4 : place + 8], data[place + 8 : end - 4]
        if struct.unpack_from(">I", data, end - 4)[0] != zlib.crc32(name + body):
            raise BadPng("a checksum that is wrong")
        chunks.append((name, body))
        place = end
        if name == b"IEND" and place != len(data):
            raise BadPng("something after its end")
    return chunks


def _header(body: bytes) -> tuple[int, int, int, int]:
    """(width, height, length of the inflated pixels, colour type)."""
    if len(body) != 13:
        raise BadPng("a header of another length")
    width, height, depth, colour, compression, filtering, interlacing = struct.unpack(">IIBBBBB", body)
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        raise BadPng(f"{width} by {height} pixels, the limit is {LARGEST_SIDE} a side")
    samples, depths = _COLOURS.get(colour, (0, ()))
    if depth not in depths or compression or filtering or interlacing:
        raise BadPng("a header of an unknown kind")
    return width, height, height * (1 + -(-width * samples * depth // 8)), colour


def _inflates_to(pixels: bytes, length: int) -> None:
    """Raises BadPng unless `pixels` are one zlib stream of exactly `length` bytes. Never holds all of them."""
    stream = zlib.decompressobj()
    remaining = pixels
    try:
        while not stream.eof:
            part = stream.decompress(remaining, INFLATED_AT_ONCE)
            remaining = stream.unconsumed_tail
            length -= len(part)
            if length < 0 or not (part or remaining or stream.eof):
                raise BadPng("pixels that are not as many as its header says")
    except zlib.error:
        raise BadPng("pixels that cannot be inflated") from None
    if length or stream.unused_data:
        raise BadPng("pixels that are not as many as its header says")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

"""Heat maps: numbers to the colours of a palette, a pixel each, and what is drawn over them.

A map is a PNG with a palette, a byte a cell, which the page scales up. Index 0 is clear: what is no finite number has
no colour, and is marked by a line through its cell. Index `STEPS + 1` is grey: equal within the tolerance.
"""

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

STEPS = 63  # odd: a difference of 0 has a step of its own
GREY = STEPS + 1

# From dark blue by green to yellow, lighter step by step: read in black and white, and by any eye.
_VALUES = (
    (68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142),
    (31, 158, 137), (53, 183, 121), (109, 205, 89), (180, 222, 44), (253, 231, 37),
)  # fmt: skip
_BELOW, _ABOVE = (42, 112, 196), (217, 104, 14)  # blue and orange, seen through where the difference is small
_FAINT = 0.14


def values(numbers: Any, low: float, high: float) -> str:
    """The data URI of a map of the 2-d `numbers`, from `low` to `high`."""
    return _uri(_steps(numbers, low, high), *_values_palette())


def differences(numbers: Any, most: float, equal: Any) -> str:
    """The same of differences from `-most` to `most`; grey where `equal`."""
    return _uri(np.where(equal, GREY, _steps(numbers, -most, most)), *_differences_palette())


@cache
def values_bar() -> str:
    """All steps in a row: the legend, from which the page's script also reads the colours."""
    return _uri(np.arange(1, STEPS + 1)[None], *_values_palette())


@cache
def differences_bar() -> str:
    return _uri(np.arange(1, STEPS + 1)[None], *_differences_palette())


def strange(numbers: Any) -> str:
    """An SVG path through the cells that are no finite number: NaN a cross, infinities a stroke up or down."""
    path = ""
    for y, x in np.argwhere(~np.isfinite(numbers)):
        value = numbers[y, x]
        path += f"M{x} {y}l1 1" if np.isnan(value) or value < 0 else ""
        path += f"M{x} {y + 1}l1 -1" if np.isnan(value) or value > 0 else ""
    return path


def outline(mask: Any) -> str:
    """An SVG path around the regions of a 2-d mask, a stroke for each straight stretch of it."""
    padded = np.pad(mask, 1)
    across = padded[:-1, 1:-1] != padded[1:, 1:-1]
    down = padded[1:-1, :-1] != padded[1:-1, 1:]
    path = "".join(f"M{begin} {y}H{end}" for y, line in enumerate(across) for begin, end in _runs(line))
    return path + "".join(f"M{x} {begin}V{end}" for x, line in enumerate(down.T) for begin, end in _runs(line))


def _runs(line: Any) -> Iterator[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.pad(line, 1).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _steps(numbers: Any, low: float, high: float) -> Any:
    finite = np.isfinite(numbers)
    with np.errstate(all="ignore"):
        # Halved first: from the smallest float64 to the largest is more than the largest.
        share = (np.where(finite, numbers, 0) / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.5
    steps = 1 + np.rint(np.clip(share, 0, 1) * (STEPS - 1))
    return np.where(finite, steps, 0).astype(np.uint8)


@cache
def _values_palette() -> tuple[bytes, bytes]:
    """(a colour an index, how opaque each is)."""
    at = np.linspace(0, len(_VALUES) - 1, STEPS)
    colours = np.stack([np.interp(at, range(len(_VALUES)), channel) for channel in zip(*_VALUES, strict=True)], 1)
    return bytes(3) + np.rint(colours).astype(np.uint8).tobytes(), bytes(1)


@cache
def _differences_palette() -> tuple[bytes, bytes]:
    share = np.linspace(-1, 1, STEPS)
    colours = np.where(share[:, None] < 0, _BELOW, _ABOVE).astype(np.uint8)
    opaque = np.rint(255 * (_FAINT + (1 - _FAINT) * np.abs(share))).astype(np.uint8)
    return bytes(3) + colours.tobytes() + bytes((128, 128, 128)), bytes(1) + opaque.tobytes() + bytes((72,))


def _uri(cells: Any, palette: bytes, opaque: bytes) -> str:
    """A PNG of one byte a pixel; `cells` are indices into the palette."""
    height, width = cells.shape
    rows = np.pad(cells.astype(np.uint8), ((0, 0), (1, 0)))  # each row begins with its filter: none
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, body)
        for kind, body in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", palette),
            (b"tRNS", opaque),
            (b"IDAT", zlib.compress(rows.tobytes(), 6)),
            (b"IEND", b""),
        )
    )
    return f"data:image/png;base64,{b64encode(png).decode()}"


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

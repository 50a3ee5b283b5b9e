"""Numbers to pictures: heat maps as two masks, one for what is above zero and one for what is below.

A mask says how much, not in which colour: the style sheet's `--above` and `--below` show through it, so that one
picture serves light and dark paper, and print. static/js/labs/draw.js makes the same masks in the browser.
"""

import struct
import zlib
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class HeatMap:
    """`above`, `below`: grey PNGs as data addresses, white where the value is `scale` or more away from zero."""

    rows: int
    columns: int
    scale: float
    above: str
    below: str
    alternative: str


def heat_map(values: Array, scale: float, alternative: str) -> HeatMap:
    """values: (rows, columns); `scale` is the value of the full colour."""
    share = np.clip(np.asarray(values, float) / scale, -1, 1)
    rows, columns = share.shape
    return HeatMap(rows, columns, scale, png(np.maximum(share, 0)), png(np.maximum(-share, 0)), alternative)


def png(shares: Array) -> str:
    """shares: (rows, columns) in [0, 1], as a grey PNG of a pixel each (PNG specification, 3rd edition, section 11)."""
    grey = np.rint(shares * 255).astype(np.uint8)
    lines = b"".join(b"\0" + line.tobytes() for line in grey)
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    body = b"".join((_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(lines, 9)), _chunk(b"IEND", b"")))
    return "data:image/png;base64," + b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def digits(value: float, places: int = 4) -> str:
    """`−0.4161`: with a true minus sign, and no minus before a zero. The same as `digits` in draw.js."""
    text = f"{abs(value):.{places}f}"
    return text if value >= 0 or not text.strip("0.") else f"−{text}"

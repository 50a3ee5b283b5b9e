"""Pictures of a course or an exercise, in its folder `figures/`: which there are, how large each is, and which move.

The size is read from a picture's own first bytes: a page that knows it keeps its place free while it loads.
"""

import re
from collections.abc import Mapping
from pathlib import Path

IMAGE_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}


def is_figure(path: str) -> bool:
    return bool(re.fullmatch(r"figures/[^/]+", path)) and Path(path).suffix in IMAGE_TYPES


def figure_in(files: Mapping[str, bytes], name: str) -> tuple[bytes, str] | None:
    """The content and media type of `figures/<name>`."""
    content, media_type = files.get(f"figures/{name}"), IMAGE_TYPES.get(Path(name).suffix)
    return (content, media_type) if content is not None and media_type else None


def moves(content: bytes) -> bool:
    """Whether it is an SVG that moves by itself, by CSS: pages offer to hold it (app/static/js/pictures.js)."""
    return b"@keyframes" in content and size_of(content) is not None and b"<svg" in content[:4096]


def size_of(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of an SVG, PNG, JPEG or WebP; None where it does not say, or says nothing sensible."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":
        found = _number(content[16:20]), _number(content[20:24])
    elif content.startswith(b"\xff\xd8"):
        found = _jpeg(content)
    elif content.startswith(b"RIFF") and content[8:12] == b"WEBP" and len(content) >= 32:
        found = _webp(content)
    else:
        found = _svg(content[:4096].decode("utf-8", "replace"))
    return found if all(0 < side < 1 << 15 for side in found) else None


def _number(part: bytes) -> int:
    return int.from_bytes(part, "big")


def _jpeg(content: bytes) -> tuple[int, int]:
    """Segment by segment up to the one that begins the frame."""
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        kind = content[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return _number(content[at + 7 : at + 9]), _number(content[at + 5 : at + 7])
        at += 2 + _number(content[at + 2 : at + 4])
    return 0, 0


def _webp(content: bytes) -> tuple[int, int]:
    kind, little = content[12:16], int.from_bytes(content[20:32], "little")
    if kind == b"VP8X":
        return (little >> 32 & 0xFFFFFF) + 1, (little >> 56 & 0xFFFFFF) + 1
    if kind == b"VP8L":
        return (little >> 8 & 0x3FFF) + 1, (little >> 22 & 0x3FFF) + 1
    return (little >> 48 & 0x3FFF, little >> 64 & 0x3FFF) if kind == b"VP8 " else (0, 0)


def _svg(text: str) -> tuple[int, int]:
    """Its `width` and `height`, where they are plain; else its view box."""
    head = re.search(r"<svg\b[^>]*>", text)
    stated = dict(re.findall(r"""[\s](width|height|viewBox)\s*=\s*["']([^"']*)["']""", head[0])) if head else {}
    sides = [re.fullmatch(r"\s*(\d+(?:\.\d+)?)(?:px)?\s*", stated.get(name, "")) for name in ("width", "height")]
    if sides[0] and sides[1]:
        return round(float(sides[0][1])), round(float(sides[1][1]))
    box = re.fullmatch(r"\s*(?:-?[\d.]+[\s,]+){2}(\d+(?:\.\d+)?)[\s,]+(\d+(?:\.\d+)?)\s*", stated.get("viewBox", ""))
    return (round(float(box[1])), round(float(box[2]))) if box else (0, 0)

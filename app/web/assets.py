"""The static files, read once, under addresses that change with them."""

import gzip
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "static"

MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
    ".woff2": "font/woff2",
    ".LICENSE": "text/plain",
}


@dataclass(frozen=True)
class Asset:
    body: bytes
    zipped: bytes | None
    media_type: str


class Assets:
    """The static files, read once. Their address carries a hash of them all: they never change behind it.

    One hash for the tree, not one a file, so that modules and style sheets may name each other relatively.
    """

    def __init__(self, folder: Path) -> None:
        self.files = dict(self._read(folder))
        tree = hashlib.sha256()
        for path, asset in sorted(self.files.items()):
            tree.update(path.encode() + b"\0" + hashlib.sha256(asset.body).digest())
        self.version = tree.hexdigest()[:12]

    def url(self, path: str) -> str:
        if path not in self.files:
            raise KeyError(f"no static file {path}")
        return f"/static/{self.version}/{path}"

    def _read(self, folder: Path) -> Iterator[tuple[str, Asset]]:
        for file in sorted(folder.rglob("*")):
            media_type = MEDIA_TYPES.get(file.suffix)
            if media_type and file.is_file() and "node_modules" not in file.parts:
                body = file.read_bytes()
                if file.relative_to(folder).parts[0] in ("js", "css"):
                    body = _COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
                text = media_type.startswith("text/") or file.suffix == ".svg"
                yield (
                    file.relative_to(folder).as_posix(),
                    Asset(
                        body,
                        gzip.compress(body, 9, mtime=0) if text else None,
                        f"{media_type}; charset=utf-8" if text else media_type,
                    ),
                )


# Lines of our own scripts and style sheets that are nothing but a comment are not sent. They stay as empty lines, so
# that a browser's errors name the line of the file.
_COMMENTS = re.compile(rb"^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/)$", re.MULTILINE)

assets = Assets(FOLDER)

"""Files of a zip, or of a folder, that strangers packed: bounded, and each below the place where it is unpacked.

attack: `../../.bashrc` and `/etc/passwd` as names; a kilobyte that unpacks to gigabytes; a link; two million files; a
name that stands twice. defence: nothing is unpacked to disk: contents are read into memory, each no further than its
bound, whatever the archive says of its size; a name that leaves its folder is refused with the whole archive; links are
passed over.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.content.formats.elements import MAX_BYTES, read_bytes
from app.content.formats.kind import NoCounterpart, files_of

MAX_FILES = 5000
MAX_FILE_BYTES = 16 << 20
MAX_ALL_BYTES = 128 << 20
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first that a zip can say: the same files are the same bytes, always


def unpacked(path: Path) -> Mapping[str, bytes]:
    """The files at `path`, a zip or a folder. Raises NoCounterpart."""
    if path.is_dir():
        return files_of(path)
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path, MAX_BYTES))) as archive:
            return _contents(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OverflowError) as error:
        raise NoCounterpart(f"The archive cannot be read: {error}.") from None


def _contents(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MAX_FILES:
        raise NoCounterpart(f"The archive holds more than {MAX_FILES:,} files.")
    found: dict[str, bytes] = {}
    size = 0
    for entry in entries:
        name = _safe(entry.filename)
        if stat.S_ISLNK(entry.external_attr >> 16):
            continue
        with archive.open(entry) as file:
            content = file.read(MAX_FILE_BYTES + 1)
        size += len(content)
        if len(content) > MAX_FILE_BYTES or size > MAX_ALL_BYTES:
            most = f"{MAX_FILE_BYTES >> 20} MB each, {MAX_ALL_BYTES >> 20} MB in all"
            raise NoCounterpart(f"{name} is too large: {most}.")
        if name in found:
            raise NoCounterpart(f"{name} stands twice in the archive.")
        found[name] = content
    return found


def _safe(name: str) -> str:
    plain = name.replace("\\", "/")
    if plain.startswith("/") or ".." in plain.split("/") or re.match(r"[A-Za-z]:", plain) or not plain.isprintable():
        raise NoCounterpart(f"The archive names a file outside of its folder: {name[:80]!r}.")
    return "/".join(part for part in plain.split("/") if part not in ("", "."))


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files, in the order of their names."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return held.getvalue()


def below(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    """The files of one folder, by path within it."""
    prefix = f"{folder}/" if folder else ""
    return {path.removeprefix(prefix): content for path, content in files.items() if path.startswith(prefix)}


def folders_with(files: Iterable[str], *names: str) -> list[str]:
    """The folders that hold a file of one of these names, in order."""
    return sorted({path.rpartition("/")[0] for path in files if path.rpartition("/")[2] in names})

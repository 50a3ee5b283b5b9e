"""The files of an exercise or a course as authors send them: text, or bytes in base64, by path.

attack: a path that leaves its folder once the content is exported (`../../.bashrc`), a name that no file system or
page can hold, a file that is a folder too, a million files. defence: the same names, sizes and counts that a folder may
have (`graders.exercise.folder`), checked before anything is stored.
"""

import base64
import binascii
from collections.abc import Mapping
from pathlib import PurePosixPath

from app.content.course import MAX_FILE_BYTES
from app.web.errors import Invalid, TooLarge
from graders.exercise.folder import (
    MAX_FILES,
    MAX_FOLDER_BYTES,
    MAX_FOLDERS_DEEP,
    MAX_PATH_CHARACTERS,
    TEXTS,
)
from graders.text import is_storable

Files = Mapping[str, bytes]
Encoded = str | dict[str, str]  # {"base64": …}
Changes = Mapping[str, bytes | None]  # None: the file goes


def require_path(path: str) -> str:
    """Raises Invalid for what cannot name a file of a folder."""
    parts = path.split("/")
    if not path or any(part in ("", ".", "..", "__pycache__") or part.startswith(".") for part in parts):
        raise Invalid(f"{path[:200]!r} is not a path within the folder.", "For example: mistakes/ids-ignored.py")
    if "\\" in path or not path.isprintable() or not is_storable(path):
        raise Invalid(f"{path[:200]!r} holds a character that no file name may hold.", "Use plain letters.")
    if len(path) > MAX_PATH_CHARACTERS or any(len(part.encode()) > 255 for part in parts):
        raise Invalid(f"{path[:60]!r}… is too long a path.", f"At most {MAX_PATH_CHARACTERS} characters are allowed.")
    if len(parts) > MAX_FOLDERS_DEEP + 1:
        raise Invalid(f"{path!r} is more than {MAX_FOLDERS_DEEP} folders deep.", "Put it into fewer folders.")
    return path


def decode(path: str, content: Encoded) -> bytes:
    """Raises Invalid and TooLarge."""
    if isinstance(content, str):
        try:
            data = content.encode()
        except UnicodeEncodeError:
            raise Invalid(f"{path}: the text holds half a surrogate pair.", "Send it as UTF-8.") from None
    elif content.keys() == {"base64"}:
        try:
            data = base64.b64decode(content["base64"], validate=True)
        except (binascii.Error, ValueError):
            raise Invalid(f"{path}: this is not base64.", 'Send {"base64": "…"}.') from None
    else:
        raise Invalid(f"{path}: neither a text nor base64.", 'Send a string, {"base64": "…"}, or null.')
    return require_size(path, data)


def require_size(path: str, data: bytes) -> bytes:
    most = TEXTS.get(PurePosixPath(path).suffix, MAX_FILE_BYTES)
    if len(data) > most:
        allowed = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise TooLarge(f"{path} has {len(data):,} bytes; {allowed} are allowed.", "Make it smaller, or split it.")
    return data


def encode(content: bytes) -> Encoded:
    """Text where it is text, so that a difference can be read."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}
    return text if "\0" not in text else {"base64": base64.b64encode(content).decode()}


def changed(files: Files, changes: Changes) -> dict[str, bytes]:
    """The files once these changes are made. Raises Invalid and TooLarge where no folder could hold them."""
    after = dict(files)
    for path, content in changes.items():
        if content is None:
            after.pop(path, None)
        else:
            after[require_path(path)] = require_size(path, content)
    return require_folder(after)


def require_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    if len(files) > MAX_FILES:
        raise TooLarge(f"These are {len(files):,} files; {MAX_FILES:,} are allowed.", "Leave some out.")
    if sum(map(len, files.values())) > MAX_FOLDER_BYTES:
        raise TooLarge(f"All files together exceed {MAX_FOLDER_BYTES >> 20} MB.", "Make pictures smaller.")
    folders = {str(parent) for path in files for parent in PurePosixPath(path).parents}
    if clashes := sorted(folders & files.keys()):
        raise Invalid(f"{clashes[0]!r} is a file and a folder at once.", "Rename one of them.")
    return dict(sorted(files.items()))

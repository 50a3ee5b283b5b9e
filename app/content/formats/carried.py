"""The course that an export was made of, carried along in it: import of an export changes nothing.

Another system shows what it can hold, and passes over the rest. What it passes over is in here, so that it is not lost
on the way back: given values, pools, the text of lessons.

attack: a file whose questions say one thing, and what it carries another. defence: what is carried counts only if an
export of it is the very file that it came in; else it is passed over, and the questions are read as they stand there.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable

from app.content.course import Course, course_from_files
from app.content.formats.kind import Exported, Item
from app.content.picture import is_figure

MARK = "lectern-course:"
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LESSON = re.compile(r"\d+-[^/\\]*\.md")
CHANGED = "It was changed since Lectern exported it: given values, pools and the text of lessons did not come back."
_DASH = "\\u002d"


def carried(course: Course) -> str:
    """One line for the end of the file, without `--`, which would end a comment of XML."""
    files = {path: _text(content) for path, content in sorted(course.files.items()) if is_carried(path)}
    return f"{MARK} {json.dumps({'course': course.slug, 'files': files}).replace('-', _DASH)}"


def is_carried(path: str) -> bool:
    """attack: `../../.bashrc` in a stranger's file. defence: the names that a course's files have, and no other."""
    is_known = path == "course.toml" or bool(LESSON.fullmatch(path)) or is_figure(path)
    return is_known and "\\" not in path and path.isprintable()


def carries(content: bytes) -> bool:
    return MARK.encode() in content


def carried_course(content: bytes, exported: Callable[[Course], Exported]) -> Item | None:
    """The course that an export carries; None where it carries none, or was changed since."""
    return carried_in(content, exported, lambda again: again.content == content)


def carried_in(
    content: bytes, exported: Callable[[Course], Exported], is_same: Callable[[Exported], bool]
) -> Item | None:
    """The course in the last lines of a file; `is_same` compares another export of it with what came in."""
    found = _read(content)
    if found is None:
        return None
    slug, files = found
    return Item(slug, files, "course") if is_same(exported(course_from_files(slug, files))) else None


def _text(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _read(content: bytes) -> tuple[str, dict[str, bytes]] | None:
    line = content.rpartition(MARK.encode())[2].split(b"\n", 1)[0].strip().removesuffix(b"-->")
    try:
        data = json.loads(line)
        slug, files = data["course"], {path: _bytes(text) for path, text in data["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, binascii.Error):
        return None
    is_safe = isinstance(slug, str) and SLUG.fullmatch(slug) and all(map(is_carried, files))
    return (slug, files) if is_safe else None


def _bytes(text: str | dict[str, str]) -> bytes:
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"], validate=True)

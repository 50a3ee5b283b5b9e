"""`publish`: folders of content, often from a repository's CI, made live on a server once its gate has passed them."""

from __future__ import annotations

import base64
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lectern_cli.server import Answer, Refused, Server, Unavailable
from lectern_cli.terminal import ACCEPTED, REJECTED, say, stop

PUBLISH_SECONDS = 180.0  # without a byte from the server, which waits for the gate
WAIT_SECONDS = 100  # of each request
GATE_SECONDS = 1800.0  # of one exercise or course, in all
TOO_MANY = 429  # requests: the server says to come back
MAX_BYTES = 700 << 10  # of the files of one request, which base64 makes a third larger
Content = Any  # a text, or {"base64": …}


@dataclass(frozen=True)
class Place:
    """One folder of content, and its address on a server."""

    kind: str
    slug: str
    folder: Path

    @property
    def path(self) -> str:
        return f"/{'exercises' if self.kind == 'exercise' else 'courses'}/{self.slug}"

    def __str__(self) -> str:
        return f"{self.kind} {self.slug}"


def publish_all(server: Server, root: Path, message: str, replace: bool) -> int:
    """Exercises first: lessons name them. Returns the exit status."""
    places = sorted(find(root), key=lambda place: (place.kind == "course", place.slug))
    if not places:
        stop(f"There are no exercises and no courses in {root}.", "Name a folder that holds exercises/ or lessons/.")
    failed = [place for place in places if not _publish(server, place, message, replace)]
    say(f"{len(places) - len(failed)} of {len(places)} are live.")
    return REJECTED if failed else ACCEPTED


def find(root: Path) -> Iterator[Place]:
    """What lies in this folder, in its `exercises` and in its `lessons`."""
    if not root.is_dir():
        stop(f"There is no folder {root}.", "Name the folder that holds exercises/ and lessons/.")
    for folder in (root, root / "exercises", root / "lessons"):
        for cover in sorted(folder.glob("*/exercise.toml")):
            yield Place("exercise", cover.parent.name, cover.parent)
        for cover in sorted(folder.glob("*/course.toml")):
            yield Place("course", re.sub(r"^\d+-", "", cover.parent.name), cover.parent)


def _publish(server: Server, place: Place, message: str, replace: bool) -> bool:
    try:
        revision, is_live = _save(server, place, message, replace)
        if is_live:
            say(f"{place}: live already")
            return True
        _make_live(server, place, revision)
    except Refused as refused:
        say(f"{place}: {refused.message} {refused.hint}", sys.stderr)
        for fault in refused.answer.get("faults", []):
            line = f":{fault['line']}" if fault.get("line") else ""
            text = f"{fault['severity']}: {fault['message']} {fault['hint']}"
            say(f"  {fault['path'] or place.slug}{line}: {text}", sys.stderr)
        return False
    say(f"{place}: live")
    return True


def _save(server: Server, place: Place, message: str, replace: bool) -> tuple[str, bool]:
    """The revision that holds what the folder holds, and whether it is live. Raises Refused."""
    ours = read(place.folder)
    try:
        held = server.get(f"{place.path}/files")
    except Refused as refused:
        if refused.status != 404:
            raise
        held = {"revision": None, "files": {}}
    changes = {path: content for path, content in ours.items() if held["files"].get(path) != content}
    changes |= dict.fromkeys(held["files"].keys() - ours.keys())
    newest = _newest(server, place) if held["revision"] else None
    if not changes:
        return str(held["revision"]), newest is not None and newest["state"] == "published"
    is_draft = newest is not None and newest["state"] == "draft" and newest["origin"] == "browser"
    if is_draft and not replace:
        author = (newest or {}).get("author") or "somebody"
        hint = f"Export and merge it, or publish with --replace; it stays in the history of {place.slug}."
        raise Refused(f"{author} has a newer draft in the browser.", hint, 409, {})
    revision = held["revision"]
    for part in _parts(changes):
        body = {"base": revision, "files": part, "message": message or "Published from a folder"}
        revision = _post(server, f"{place.path}/revisions", body)["revision"]
    return str(revision), False


def _post(server: Server, path: str, body: Answer) -> Answer:
    """A repository of hundreds may be more than the server takes at once. Raises Refused."""
    deadline = time.monotonic() + GATE_SECONDS
    while True:
        try:
            return server.post(path, body)
        except Refused as refused:
            if refused.status != TOO_MANY or time.monotonic() > deadline:
                raise
        time.sleep(2)


def _newest(server: Server, place: Place) -> Answer:
    listed: list[Answer] = server.get(f"{place.path}/revisions")["revisions"]
    return listed[0]


def _make_live(server: Server, place: Place, revision: str) -> None:
    """Raises Refused, with the faults that the gate found."""
    deadline = time.monotonic() + GATE_SECONDS
    while True:
        try:
            server.post(f"{place.path}/publications?wait={WAIT_SECONDS}", {"revision": revision})
            return
        except (Refused, Unavailable) as refused:
            is_waiting = isinstance(refused, Unavailable) or (
                refused.status == TOO_MANY or (refused.status == 409 and _is_checking(server, place, revision))
            )
            if not is_waiting or time.monotonic() > deadline:
                raise
        time.sleep(1)


def _is_checking(server: Server, place: Place, revision: str) -> bool:
    """Where folder and browser are in conflict, no gate will ever finish."""
    if server.get(f"{place.path}/revisions")["conflict"] is not None:
        return False
    check = server.get(f"{place.path}/revisions/{revision}").get("check")
    return check is None or check.get("state") != "finished"


def read(folder: Path) -> dict[str, Content]:
    """Every file except hidden ones and caches, by path within the folder."""
    found: dict[str, Content] = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if any(part.startswith(".") or part == "__pycache__" for part in parts):
            continue
        if path.is_symlink():
            stop(f"{path} is a symbolic link.", "Put the file itself there.")
        if path.is_file():
            found["/".join(parts)] = _content(path)
    return found


def _content(path: Path) -> Content:
    try:
        content = path.read_bytes()
    except OSError as error:
        stop(f"Cannot read {path}: {error.strerror}.", "Make it readable.")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\0"
    return {"base64": base64.b64encode(content).decode()} if "\0" in text else text


def _parts(changes: Mapping[str, Content]) -> Iterator[dict[str, Content]]:
    """In requests that the server takes. Only the last state is published."""
    part: dict[str, Content] = {}
    size = 0
    for path, content in changes.items():
        length = len(content["base64"] if isinstance(content, dict) else content or "")
        if part and size + length > MAX_BYTES:
            yield part
            part, size = {}, 0
        part[path] = content
        size += length
    yield part

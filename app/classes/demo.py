"""The demo: a filled class of people who do not exist, for anyone who wants to look around (`serve --demo`).

It is opened once the server runs, in a folder that is thrown away at the end. Its people come first, and a link that
signs in as its instructor; then, in a few seconds, their term. Of each program that somebody sent, one submission waits
for the judge like any other, and all that are the same get the cases of its verdict.

attack: a demo beside real people, or one that others reach: its links sign in without a password. defence: no setting
of the environment turns it on, `app/commands/serve.py` gives it an empty database of its own, and it refuses to run
where anybody but this machine could reach it. A link has 256 random bits and opens once.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

import structlog
from sqlalchemy.orm import Session

from app.classes.filling import BROKEN, Filling
from app.db import Database
from app.people.users import User, hash_token, new_token
from app.queue.contract import WebQueue
from app.reading.catalog import Catalog
from app.settings import Settings, is_loopback
from app.web.errors import NotFound
from app.web.hosts import address

log = structlog.get_logger("lectern.demo")

LOOK_SECONDS = 1.0
# What the author of a question got wrong: the model that they thought of is the original transformer.
KEY, SLIP = f"- [x] {BROKEN.truth}", "- [ ] Sines and cosines of its position"


class NotForOthers(Exception):
    """A demo that somebody else than this machine could reach."""


@dataclass(frozen=True)
class Door:
    """Whom a link signs in, and where it leads."""

    user_id: int
    path: str


def write_lessons(courses: Path, folder: Path) -> Path:
    """A copy of the courses in which the key of one question is wrong, as happens. Returns their folder."""
    shutil.copytree(courses, folder)
    for lesson in folder.glob("*/*.md"):
        text = lesson.read_text("utf-8")
        if KEY in text:
            swapped = text.replace(KEY, KEY.replace("[x]", "[ ]")).replace(SLIP, SLIP.replace("[ ]", "[x]"))
            lesson.write_text(swapped, "utf-8")
    return folder


class Demo:
    """The thread that opens the class and fills it. `say`: tells anyone who started the server."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        catalog: Catalog,
        queue: WebQueue,
        can_judge: Callable[[], bool],
        say: Callable[[str], None],
    ) -> None:
        """Raises NotForOthers."""
        if not is_loopback(settings.host) or settings.origin or settings.host_names or settings.trusted_proxies:
            raise NotForOthers
        self._database, self._catalog, self._queue = database, catalog, queue
        self._can_judge, self._say = can_judge, say
        self._address = address(settings.host, settings.port)
        self._doors: dict[bytes, Door] = {}
        self._used: dict[bytes, Door] = {}
        self._lock, self._closed = Lock(), Event()
        self._thread = Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    # ---- doors ----

    def enter(self, db: Session, token: str, viewer: User | None) -> tuple[User | None, str]:
        """Whom this link signs in, once, and where it leads; None for who is signed in by it already, as a browser that
        asks ahead and then once more. Raises NotFound."""
        key = hash_token(token)
        with self._lock:
            door = self._doors.pop(key, None)
            if door is not None:
                self._used[key] = door
        if door is not None:
            return db.get_one(User, door.user_id), door.path
        used = self._used.get(key)
        if used is not None and viewer is not None and viewer.id == used.user_id:
            return None, used.path
        raise NotFound("This link has been used, or never was one.", "Stop the demo, and start it again for a new one.")

    def _open_door(self, user_id: int, path: str) -> str:
        token = new_token()
        with self._lock:
            self._doors[hash_token(token)] = Door(user_id, path)
        return f"{self._address}/demo/{token}"

    # ---- the class ----

    def _run(self) -> None:
        try:
            filling = Filling(self._database, self._catalog, self._can_judge())
            filling.open_class()
            path = f"/classes/{filling.class_id}"
            self._say(f"As its instructor, once: {self._open_door(filling.instructor_id, path)}")
            self._say(f"As one of its students:  {self._open_door(filling.typical_id, path)}")
            waiting = filling.fill()
            for one in waiting:
                self._queue.put(one)
            self._say(
                f"The term is filled in: {filling.submissions:,} submissions, {len(waiting)} of them to be judged."
            )
            while waiting and not self._closed.wait(LOOK_SECONDS):
                if filling.spread() == 0:
                    self._say("Everything is judged.")
                    return
        except Exception:
            log.exception("demo_failed", remedy="stop it, and start it again")

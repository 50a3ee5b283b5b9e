"""`./lectern serve --edit`: a saved file shows on the page that is open.

A thread watches the folders. Of what was saved it has the catalog read the one folder again that it lies in, and tells
the pages that are open, over a stream of events: which exercise or course has changed, and nothing else. A page asks
for itself again and takes over what is different (app/static/js/live-page.js).

attack: a draft that nobody has proved, seen by students. defence: a server that edits listens on this machine alone
(`Settings.edit`), and what it shows before the judge has admitted it is in its memory: the database says that the last
proved state is served, to other processes and to the next start.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import structlog

from app.reading.catalog import Catalog
from graders.exercise.fault import Fault

log = structlog.get_logger("lectern.content")

# An editor that saves in several steps is through with them after so long without another.
CALM_MS = 20
MOST_MS = 200  # files that never rest are read all the same
END_SECONDS = 2.0
HELD_EVENTS = 256  # of a page that does not take them: it asks for itself once it does


@dataclass(frozen=True)
class Changed:
    """An exercise or a course that is another than before, or whose faults are."""

    kind: str
    slug: str


@dataclass(frozen=True)
class LivePage:
    """What an author is told on a page: what is wrong with the folder that it shows, and which others have faults."""

    subject: str
    faults: tuple[Fault, ...]
    others: tuple[str, ...]
    is_waiting: bool  # the judge has not said yet whether it may be published


class Live:
    """Made on any thread, opened on the event loop; `tell` may be called from any thread."""

    def __init__(self, catalog: Catalog, roots: Mapping[str, Sequence[Path]]) -> None:
        """`roots`: the folders of folders, by the kind of what lies in them."""
        self._catalog, self._roots = catalog, roots
        self._pages: set[asyncio.Queue[Changed | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closing = False
        self._end = Event()
        self._thread = Thread(target=self._watch, name="live", daemon=True)

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._catalog.on_change.append(self.tell)
        self._thread.start()

    def hang_up(self) -> None:
        """Every stream ends now. Safe in a signal handler."""
        self._is_closing = True
        self._send(None)

    def close(self) -> None:
        self.hang_up()
        self._end.set()
        self._thread.join(END_SECONDS)

    def tell(self, kind: str, slug: str) -> None:
        self._send(Changed(kind, slug))

    def page(self, path: str) -> LivePage:
        """`path`: the address of the page."""
        found = re.match(r"(?:/preview)?/(exercise|course)s/([^/]+)", path)
        subject = (found[1], found[2]) if found else ("", "")
        held = self._catalog.held
        others = tuple(f"{kind} {slug}" for kind, slug in sorted(held) if (kind, slug) != subject)
        waits = subject not in held and subject[0] == "exercise" and self._catalog.is_waiting(subject[1])
        return LivePage(" ".join(subject), held.get(subject, ()), others, waits)

    async def follow(self) -> AsyncIterator[Changed]:
        page: asyncio.Queue[Changed | None] = asyncio.Queue(HELD_EVENTS)
        self._pages.add(page)
        try:
            while not self._is_closing and (changed := await page.get()) is not None:
                yield changed
        finally:
            self._pages.discard(page)

    def _send(self, event: Changed | None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._put, event)

    def _put(self, event: Changed | None) -> None:
        for page in self._pages:
            with suppress(asyncio.QueueFull):
                page.put_nowait(event)

    # ------------------------------------------------------------------ the thread

    def _watch(self) -> None:
        from watchfiles import watch  # a library that only an author's own server needs

        roots = [root for folder in self._roots.values() for root in folder if root.is_dir()]
        for root in (root for folder in self._roots.values() for root in folder if not root.is_dir()):
            log.warning("folder_not_watched", folder=str(root), reason="There is no such folder.")
        if not roots:
            return
        try:
            for changes in watch(
                *roots, watch_filter=None, debounce=MOST_MS, step=CALM_MS, stop_event=self._end, rust_timeout=500
            ):
                for kind, folder in sorted({found for _, path in changes if (found := self._folder_of(Path(path)))}):
                    self._refresh(kind, folder)
        except OSError as error:
            hint = "Saved files do not show by themselves: restart to see them. Set WATCHFILES_FORCE_POLLING=1."
            log.error("folders_not_watched", reason=str(error), hint=hint)

    def _folder_of(self, path: Path) -> tuple[str, Path] | None:
        """The exercise's or course's folder that this lies in; None for what is no content: the catalog's reader passes
        it over too."""
        for kind, roots in self._roots.items():
            for root in (root for root in roots if root in path.parents):
                parts = path.relative_to(root).parts
                is_hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
                if not is_hidden and not parts[0].startswith("_") and (len(parts) > 1 or not path.is_file()):
                    return kind, root / parts[0]
        return None

    def _refresh(self, kind: str, folder: Path) -> None:
        try:
            self._catalog.refresh(kind, folder)
        except Exception as error:  # the next save finds the same folder
            log.error("folder_not_read", folder=str(folder), exc_info=error)

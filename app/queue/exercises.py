"""An exercise's files on their way to workers: kept by the broker under their content hash, by a worker on its disk.

attack: a broker, or somebody on the way, hands a worker other files than the web published. defence: a name is the hash
of what it names, and is computed again before anything is read.
"""

import io
import threading
import zipfile
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import select

from app.db import Database
from app.queue.nats import Broker, NothingKept
from app.reading.snapshots import Snapshot, files_of
from graders.cache import CacheFolder, RecentCache
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.folder import hash_files
from graders.exercise.limits import Limits
from graders.exercise.reader import exercise_from_files, require_ceilings

LARGEST = 256 << 20  # of all files together, unpacked
KEPT = 256  # exercises in a worker's memory
ASK_SECONDS = 20.0
_EPOCH = (1980, 1, 1, 0, 0, 0)


class OfferedExercises:
    """The web's side: from the rows to the broker."""

    def __init__(self, database: Database, broker: Broker) -> None:
        self._database, self._broker = database, broker
        self._offered: set[str] = set()

    def offer(self, content_hash: str) -> None:
        """Workers can have it when this returns. Nothing is offered where no snapshot has this hash. Raises
        BrokerAway, NobodyListens."""
        if content_hash in self._offered:
            return
        with self._database.reading() as db:
            of_hash = select(Snapshot.id).where(Snapshot.kind == "exercise", Snapshot.content_hash == content_hash)
            snapshot_id = db.scalar(of_hash.limit(1))
            files = files_of(db, snapshot_id) if snapshot_id is not None else None
        if files is not None:
            self._broker.put_object(content_hash, packed(files))
            self._offered.add(content_hash)

    def forget(self) -> None:
        """The broker has lost its memory."""
        self._offered.clear()


class FetchedExercises:
    """A worker's side: from the broker, once for each state of an exercise."""

    def __init__(self, broker: Broker, folder: Path | None, ceilings: Limits) -> None:
        self._broker, self._ceilings = broker, ceilings
        self._stored = CacheFolder(folder, ".zip", most=1_000)
        self._kept: RecentCache[str, Exercise] = RecentCache(KEPT)
        self._fetching = threading.Lock()  # each thread of a worker may want the same at once

    def get(self, slug: str, content_hash: str) -> Exercise:
        """With the first variant come the others. Raises BrokenExercise, BrokerAway, NothingKept."""
        exercise = self._kept.get(f"{slug} {content_hash}")
        if exercise is None:
            with self._fetching:
                exercise = self._kept.get(f"{slug} {content_hash}") or self._read(slug, content_hash)
        return exercise

    def _read(self, slug: str, content_hash: str) -> Exercise:
        exercise = exercise_from_files(slug, self._files(content_hash))
        require_ceilings(exercise, self._ceilings)
        for one in (exercise, *exercise.others):
            self._kept.put(f"{slug} {one.content_hash}", one)
        return exercise

    def _files(self, content_hash: str) -> dict[str, bytes]:
        stored = self._stored.read(content_hash)
        if stored is not None and (files := _unpacked(stored, content_hash)) is not None:
            return files
        content = self._fetched(content_hash)
        files = _unpacked(content, content_hash)
        if files is None:
            message = f"the broker's copy of {content_hash[:12]} is not what was published"
            raise BrokenExercise("", message, "publish the exercise again")
        self._stored.write(content_hash, content)
        return files

    def _fetched(self, content_hash: str) -> bytes:
        try:
            return self._broker.object(content_hash)
        except NothingKept:  # the broker has lost it: the leader puts it there again
            self._broker.ask(self._broker.subject("exercise"), content_hash.encode(), ASK_SECONDS)
            return self._broker.object(content_hash)


def packed(files: Mapping[str, bytes]) -> bytes:
    """The same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), files[path], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def unpacked(content: bytes) -> dict[str, bytes]:
    """What `packed` was given. Raises ValueError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise ValueError("the files are too large")
            return {entry.filename: archive.read(entry) for entry in archive.infolist()}
    except (zipfile.BadZipFile, OSError, NotImplementedError, EOFError) as error:
        raise ValueError(str(error)) from None


def _unpacked(content: bytes, content_hash: str) -> dict[str, bytes] | None:
    """The files; None where they are not those that the hash names."""
    try:
        files = unpacked(content)
    except ValueError:
        return None
    return files if hash_files(files) == content_hash else None

"""The catalog: the current exercises and courses, from folders or published, kept as snapshots, handed out by slug.

What is served changes in four ways, each told to those who asked (`on_change`): a folder changed (`refresh`), somebody
published or retired something here, the judge has admitted an exercise or has not, or another process did any of these
(`follow`). The database says what is served; this process has it in memory, and looks once a second.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event, Lock, RLock, Thread
from typing import TypeVar

import structlog

from app.content.course import Course
from app.content.entries import Entry
from app.content.reading import (
    ReadCourse,
    Reader,
    ReadExercise,
    Unsound,
    read_course_folder,
    read_exercise_folder,
    require_one_folder,
)
from app.db import Database, now
from app.people.permission import Wish, may
from app.people.users import User
from app.reading.draws import ensure_drawing_key
from app.reading.folders import (
    MAX_LOGGED,
    Faults,
    Folders,
    FoldersAlone,
    Truth,
    courses_by,
    exercises_by,
    log_unsound,
)
from app.reading.search import index_content, index_one
from app.reading.served import Served
from app.reading.snapshots import (
    current_id,
    current_ids,
    files_of,
    instead_of,
    is_proved,
    keep,
    note_proof,
    origin_of,
    proved_before,
    serve_only,
    store,
    take_turn,
    waits_for_judge,
)
from graders.exercise.definition import Exercise
from graders.exercise.fault import Fault
from graders.exercise.limits import CEILINGS, Limits

log = structlog.get_logger("lectern.content")

FOLLOW_SECONDS = 1.0  # and at once where another process says that something has changed (`look_soon`)
END_SECONDS = 2.0

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True)
class Held:
    """A folder whose last state did not pass. `is_live`: an earlier one is shown in its place."""

    kind: str
    slug: str
    is_live: bool
    faults: tuple[Fault, ...]
    since: datetime  # when this process first saw it so


class Catalog(Served):
    """What this server offers, and how that changes. Each verb may be called from any thread, outside of transactions.

    `on_change`: called with kind and slug after anything has changed there, from the thread that changed it.
    """

    def __init__(
        self,
        database: Database,
        cache: Path | None = None,
        ceilings: Limits = CEILINGS,
        truth: Truth | None = None,
        *,
        shows_unproved: bool = False,
    ) -> None:
        """`truth`: asked for each folder that is read what is served under its name. `shows_unproved`: a saved folder
        is shown by this process before the judge has admitted it; what the database says is served waits all the same.
        """
        super().__init__(database, cache, ceilings)
        self._truth, self._shows_unproved = truth or FoldersAlone(), shows_unproved
        self._reader = Reader(cache, ceilings)
        self._folders = Folders(database, self._truth, {})
        self._is_judged = False
        self._unsound: Faults = {}  # of folders as they lie
        self._refused: Faults = {}  # by the judge
        self._held: Faults = {}
        self._held_since: dict[tuple[str, str], datetime] = {}
        self.on_change: list[Callable[[str, str], None]] = []
        self._unpublished: dict[str, tuple[Exercise, int]] = {}  # not admitted, or not yet; with their snapshots
        self._unindexed: dict[tuple[str, str], tuple[int, Sequence[Entry]]] = {}
        self._noted: dict[tuple[str, str], int] = {}  # what the database said is served, when we last looked
        self._changing = RLock()  # what the database says and what this process has change together
        self._refreshing = Lock()
        self._closing, self._is_due = Event(), Event()
        self._follower: Thread | None = None

    @property
    def held(self) -> Faults:
        """By kind and slug: why a folder is not published."""
        return self._held

    def note_faults(self, *, unsound: Faults | None = None, refused: Faults | None = None) -> None:
        """What is wrong with a folder as it lies now goes before what the judge says of an earlier save of it."""
        self._unsound = self._unsound if unsound is None else unsound
        self._refused = self._refused if refused is None else refused
        held = {**self._refused, **self._unsound}
        self._held_since = {key: self._held_since.get(key) or now() for key in held}
        self._held = held

    # ------------------------------------------------------------------ at the start

    def import_folders(self, exercises: Sequence[Path], lessons: Sequence[Path], *, is_judged: bool = False) -> None:
        """Store what the folders hold now. What has not passed stops nobody else's work: it stays as it last was, or is
        left out where it never passed; either is logged, with file and line. So is a slug that two folders have:
        neither is the right one by chance.

        `is_judged`: whether `judged` will be called for each exercise. Then one that has changed stays as it last was
        admitted until the judge admits what it is now, and a new one is not served before. Only a new installation
        shows its exercises at once: no student has been there yet.
        """
        with self._changing:
            self._folders = Folders(self._database, self._truth, {"exercise": exercises, "course": lessons})
            self._is_judged = is_judged
            with self._reading() as reader:
                found, held = self._folders.read_all(exercises_by(reader))
                courses, held_courses = self._folders.read_all(courses_by(reader))
                meanwhile = self._admitted_before(found, reader) if is_judged else {}
            self.note_faults(unsound=held | held_courses, refused={})
            self._unpublished = {}
            with self._database.writing() as db:
                take_turn(db)
                self._drawing_key = ensure_drawing_key(db)
                ids = store(db, "exercise", {slug: state.exercise for slug, state in found.items()})
                course_ids = store(db, "course", {slug: state.course for slug, state in courses.items()})
                entries = {ids[slug]: state.proof.entries for slug, state in found.items()}
                for slug, earlier in meanwhile.items():
                    serve_only(db, earlier[0] if earlier else None, "exercise", slug)
                    if earlier is not None:
                        entries[earlier[0]] = earlier[1].proof.entries
                entries |= {course_ids[slug]: state.proof.entries for slug, state in courses.items()}
                index_content(db, entries)
                self._noted = current_ids(db)
            for slug, state in found.items():
                self._kept.put(ids[slug], state.exercise)
            for slug, earlier in meanwhile.items():
                self._unpublished[slug] = found[slug].exercise, ids[slug]
                if earlier is not None:
                    self._kept.put(earlier[0], earlier[1].exercise)
                if not self._shows_unproved:
                    del found[slug], ids[slug]
                    if earlier is not None:
                        ids[slug], found[slug] = earlier
            self.exercises = {slug: state.exercise for slug, state in found.items()}
            self.courses = {slug: state.course for slug, state in courses.items()}
            self.snapshot_ids, self.course_snapshot_ids = ids, course_ids

    def _admitted_before(
        self, found: Mapping[str, ReadExercise], reader: Reader
    ) -> dict[str, tuple[int, ReadExercise] | None]:
        """What is served of the exercises that wait for the judge: the last state that it admitted, and its snapshot;
        None where there is none."""
        states: dict[str, tuple[int, dict[str, bytes]] | None] = {}
        with self._database.reading() as db:
            for slug, state in found.items():
                id = proved_before(db, slug, state.content_hash)
                if id is not None:
                    states[slug] = id, files_of(db, id)
                elif waits_for_judge(db, slug, state.content_hash):
                    states[slug] = None
        earlier: dict[str, tuple[int, ReadExercise] | None] = {}
        for slug, proved in states.items():
            try:
                earlier[slug] = (proved[0], reader.exercise_of(slug, proved[1])) if proved is not None else None
            except Unsound:  # we read it otherwise now
                earlier[slug] = None
        return earlier

    # ------------------------------------------------------------------ what changes while it is served

    def read(self, kind: str, slug: str, files: Mapping[str, bytes]) -> ReadExercise | ReadCourse:
        """What these files are, with what is wrong in them all the same, for those who write them. Raises Unsound."""
        with self._reading() as reader:
            return reader.exercise_of(slug, files) if kind == "exercise" else reader.course_of(slug, files)

    def folder_files(self, kind: str, slug: str) -> Mapping[str, bytes] | None:
        """What lies in the folder of this name at this moment; None where there is none. Raises Unsound."""
        folders = self._folders.named(kind, slug)
        if not folders:
            return None
        require_one_folder(kind, slug, folders)
        return read_exercise_folder(folders[0]) if kind == "exercise" else read_course_folder(folders[0])[0]

    def publish(self, kind: str, slug: str, files: Mapping[str, bytes], origin: str, is_proved: bool) -> int:
        """Serve these files from now on; returns their snapshot. Raises Unsound where anything in them is an error.

        An exercise that is not proved waits until the judge of this process admits it; meanwhile its last proved state
        is served, and where there is none, nothing is.
        """
        state = self.read(kind, slug, files)
        if state.proof.errors:
            raise Unsound(*state.proof.errors)
        # after a folder that was read before this was published, and is taken only now
        with self._refreshing, self._changing:
            id = self._take(kind, state, origin, has_proof=is_proved, waits=not is_proved)
            self._release(kind, slug)
        self._tell(kind, slug)
        return id

    def retire(self, kind: str, slug: str) -> None:
        """Serve nothing under this name any more."""
        with self._changing:
            with self._database.writing() as db:
                serve_only(db, None, kind, slug)
                self._noted = current_ids(db)
            self._drop(kind, slug)
            self._release(kind, slug)
        self._tell(kind, slug)

    def refresh(self, kind: str, folder: Path) -> None:
        """Read this one folder again: it has changed, is new, or is gone. What has not passed stays as it last was."""
        slug = self._folders.slug(kind, folder)
        with self._refreshing:  # what was read last is taken last
            folders = self._folders.named(kind, slug)
            try:
                if not folders:
                    self._forget_folder(kind, slug)
                elif not self._take_folder(kind, slug, folders):
                    return
            except Unsound as unsound:
                is_kept = slug in (self.exercises if kind == "exercise" else self.courses)
                for fault in unsound.faults[:MAX_LOGGED]:
                    log_unsound(kind, folders[0], fault, is_kept=is_kept)
                with self._changing:
                    self.note_faults(unsound={**self._unsound, (kind, slug): unsound.faults})
        self._tell(kind, slug)

    def _take_folder(self, kind: str, slug: str, folders: Sequence[Path]) -> bool:
        """Whether it is another state than before. Raises Unsound."""
        with self._reading() as reader:
            state: ReadExercise | ReadCourse
            if kind == "exercise":
                state = self._folders.read(exercises_by(reader), slug, folders)
            else:
                state = self._folders.read(courses_by(reader), slug, folders)
        with self._changing:
            if (kind, slug) not in self.held and state.content_hash == self._newest_hash(kind, slug):
                return False
            self._take(kind, state, None, has_proof=False, waits=self._is_judged)
            self._release(kind, slug)
        return True

    def _newest_hash(self, kind: str, slug: str) -> str | None:
        """Of the state that is served under this name, or waits for the judge."""
        if kind == "exercise" and slug in self._unpublished:
            return self._unpublished[slug][0].content_hash
        found = self.exercises.get(slug) if kind == "exercise" else self.courses.get(slug)
        return found.content_hash if found is not None else None

    def _forget_folder(self, kind: str, slug: str) -> None:
        """The folder is gone: what came from it goes too, and what was written elsewhere stays."""
        with self._changing:
            with self._database.writing() as db:
                id = current_id(db, kind, slug)
                came_from_it = id is None or origin_of(db, id) == "folder"
                if came_from_it:
                    serve_only(db, None, kind, slug)
                self._noted = current_ids(db)
            if came_from_it:
                self._drop(kind, slug)
            self._release(kind, slug)

    def _take(
        self, kind: str, state: ReadExercise | ReadCourse, origin: str | None, *, has_proof: bool, waits: bool
    ) -> int:
        """Store it, and serve it, or let it wait for the judge. `origin` None: the folder, if it is new at all."""
        slug, content = state.slug, state.exercise if isinstance(state, ReadExercise) else state.course
        with self._database.writing() as db:
            take_turn(db)
            self._drawing_key = ensure_drawing_key(db)
            id = keep(db, kind, content, origin)
            if has_proof:
                note_proof(db, id)
            served: int | None = id
            if kind == "exercise" and waits and current_id(db, kind, slug) != id and not is_proved(db, id):
                served = instead_of(db, slug, id)
            serve_only(db, served, kind, slug)
            if self._follower is None or origin is not None:
                index_one(db, id, state.proof.entries)
            else:  # somebody is writing, save after save: what can be found is written once they pause
                self._unindexed[kind, slug] = id, state.proof.entries
            self._noted = current_ids(db)
        if isinstance(content, Exercise):
            self._kept.put(id, content)
        if served == id or self._shows_unproved:
            self._serve(kind, content, id)
        elif served is None:
            self._drop(kind, slug)
        elif self.snapshot_ids.get(slug) != served:
            self._serve(kind, self.judged_by(served), served)
        if isinstance(content, Exercise) and served != id:
            self._unpublished[slug] = content, id
        return id

    def _serve(self, kind: str, content: Exercise | Course, id: int) -> None:
        slug = content.slug
        if isinstance(content, Exercise):
            self._unpublished.pop(slug, None)
            self.snapshot_ids = {**self.snapshot_ids, slug: id}
            self.exercises = {**self.exercises, slug: content}
        else:
            self.courses = {**self.courses, slug: content}
            self.course_snapshot_ids = {**self.course_snapshot_ids, slug: id}

    def _drop(self, kind: str, slug: str) -> None:
        if kind == "exercise":
            self._unpublished.pop(slug, None)
            self.exercises = _without(self.exercises, slug)
            self.snapshot_ids = _without(self.snapshot_ids, slug)
        else:
            self.courses = _without(self.courses, slug)
            self.course_snapshot_ids = _without(self.course_snapshot_ids, slug)

    def _release(self, kind: str, slug: str) -> None:
        """Nothing is wrong with what is published, or waits, under this name."""
        self.note_faults(unsound=_without(self._unsound, (kind, slug)), refused=_without(self._refused, (kind, slug)))

    def _tell(self, kind: str, slug: str) -> None:
        for listener in self.on_change:
            listener(kind, slug)

    @contextmanager
    def _reading(self) -> Iterator[Reader]:
        """Its child stays only as long as somebody will end it."""
        try:
            yield self._reader
        finally:
            if self._follower is None:
                self._reader.close()

    # ------------------------------------------------------------------ what the judge says

    def awaited(self) -> list[Exercise]:
        """Every exercise that is served, or will be once the judge admits it, in all of its variants. First the first
        of each, which guests have and lists show, so that none waits for many variants of another."""
        waiting = [exercise for exercise, _ in list(self._unpublished.values())]
        served = [one for one in self.exercises.values() if not any(one is other for other in waiting)]
        firsts = [*served, *waiting]
        return [*firsts, *(variant for one in firsts for variant in one.others)]

    def is_waiting(self, slug: str) -> bool:
        """Whether a state of this exercise waits for the judge, or was not admitted."""
        return slug in self._unpublished

    def is_proved(self, exercise: Exercise) -> bool:
        """Whether the judge has admitted this state before; True for what is not awaited, which needs no proof."""
        snapshot_id = self._snapshot_of(exercise)
        with self._database.reading() as db:
            return snapshot_id is None or is_proved(db, snapshot_id)

    def judged(self, exercise: Exercise, faults: Sequence[Fault]) -> None:
        """The judge has admitted the exercise (no faults), or has not: then its last proved state is served in its
        place, and where there is none, nothing is. Staff read why, and it may still be admitted.

        What was proved once stays: the machine may only be busy.
        """
        with self._changing:
            snapshot_id = self._snapshot_of(exercise)
            if snapshot_id is None:
                return  # another state has taken its place
            if faults:
                self._hold(exercise, snapshot_id, faults)
            else:
                self._admit(exercise, snapshot_id)
        self._tell("exercise", exercise.slug)

    def _admit(self, exercise: Exercise, snapshot_id: int) -> None:
        slug = exercise.slug
        with self._database.writing() as db:
            note_proof(db, snapshot_id)
            serve_only(db, snapshot_id, "exercise", slug)
            self._noted = current_ids(db)
        if slug in self._unpublished:
            self.note_faults(refused=_without(self._refused, ("exercise", slug)))
            self._serve("exercise", exercise, snapshot_id)
            log.info("exercise_is_published", exercise=slug)

    def _hold(self, exercise: Exercise, snapshot_id: int, faults: Sequence[Fault]) -> None:
        slug = exercise.slug
        with self._database.writing() as db:
            stays = is_proved(db, snapshot_id)
            earlier = None if stays else instead_of(db, slug, snapshot_id)
            if not stays:
                serve_only(db, earlier, "exercise", slug)
            self._noted = current_ids(db)
        self.note_faults(refused={**self._refused, ("exercise", slug): tuple(faults)})
        event = "exercise_stays_as_it_was" if stays or earlier else "exercise_is_not_published"
        for fault in faults[:MAX_LOGGED]:
            path = f"{slug}/{fault.path}"
            log.error(event, exercise=slug, file=path, line=fault.line, reason=fault.message, hint=fault.hint)
        if stays:
            return
        if not self._shows_unproved and earlier is not None:
            self._serve("exercise", self.judged_by(earlier), earlier)
        elif not self._shows_unproved:
            self._drop("exercise", slug)
        self._unpublished[slug] = exercise, snapshot_id

    def _snapshot_of(self, exercise: Exercise) -> int | None:
        """The snapshot of what is served under this name, or will be once the judge admits it; None for another."""
        slug = exercise.slug
        if slug in self._unpublished:
            awaited, snapshot_id = self._unpublished[slug]
            return snapshot_id if awaited is exercise else None
        return self.snapshot_ids[slug] if self.exercises.get(slug) is exercise else None

    def held_for(
        self, person: User | None, closed: Callable[[], Collection[tuple[str, str]]], course: str | None = None
    ) -> list[Held]:
        """The folders that are not published as they are, for those who may know why; of one course, if it is named.

        `closed`: asked for kind and slug of what this person may not author (`closed_to` of teaching/authors.py), whose
        faults show lines of a draft; only where there is something to tell, since every visit to a page comes by here.
        """
        if not self._held or not may(person, Wish.see_what_is_held):
            return []
        not_theirs, since = closed(), self._held_since
        return [
            Held(
                kind,
                slug,
                slug in (self.exercises if kind == "exercise" else self.courses),
                faults[:MAX_LOGGED],
                since.get((kind, slug)) or now(),
            )
            for (kind, slug), faults in sorted(self._held.items())
            if (kind, slug) not in not_theirs and (course is None or (kind, slug) == ("course", course))
        ]

    # ------------------------------------------------------------------ what other processes publish

    def follow(self) -> None:
        """From now on a thread serves here what another process publishes, until `close`."""
        self._follower = Thread(target=self._follow, name="catalog", daemon=True)
        self._follower.start()

    def close(self) -> None:
        self._closing.set()
        self._is_due.set()
        if self._follower is not None:
            self._follower.join(END_SECONDS)
            self._follower = None
        self._reader.close()

    def look_soon(self) -> None:
        """Another process says that it has changed something. Never waits."""
        self._is_due.set()

    def _follow(self) -> None:
        while not self._closing.is_set():
            self._is_due.wait(FOLLOW_SECONDS)
            if self._closing.is_set():
                return
            self._is_due.clear()
            try:
                self.look()
                self._index()
            except Exception as error:  # a database that is away for a while: the next look finds the same
                log.error("catalog_not_followed", exc_info=error)

    def look(self) -> None:
        """Serve here what the database says is served, where another process has changed that."""
        with self._database.reading() as db:
            now = current_ids(db)
        noted = self._noted
        for kind, slug in sorted(now.keys() | noted.keys()):
            id = now.get((kind, slug))
            if id != noted.get((kind, slug)):
                self._follow_one(kind, slug, id)

    def _index(self) -> None:
        with self._changing:
            waiting, self._unindexed = self._unindexed, {}
        for id, entries in waiting.values():
            with self._database.writing(durable=False) as db:
                index_one(db, id, entries)

    def _follow_one(self, kind: str, slug: str, id: int | None) -> None:
        content = self._content_at(kind, slug, id) if id is not None else None
        with self._changing:
            with self._database.reading() as db:
                if current_id(db, kind, slug) != id or self._noted.get((kind, slug)) == id:
                    return  # it has changed again, or it was this process
            waiting = self._unpublished.get(slug) if kind == "exercise" else None
            if content is not None and id is not None:
                self._noted = {**self._noted, (kind, slug): id}
                is_ours = waiting is not None and waiting[1] == id  # another process has had it admitted
                if is_ours:
                    self.note_faults(refused=_without(self._refused, (kind, slug)))
                self._serve(kind, waiting[0] if waiting is not None and is_ours else content, id)
            elif id is not None:
                self._noted = {**self._noted, (kind, slug): id}  # it cannot be read here: what was served stays
            else:
                self._noted = _without(self._noted, (kind, slug))
                self._drop(kind, slug)
        self._tell(kind, slug)

    def _content_at(self, kind: str, slug: str, id: int) -> Exercise | Course | None:
        """None where we read it otherwise than the process that published it."""
        with self._database.reading() as db:
            files = files_of(db, id)
        try:
            state = self.read(kind, slug, files)
        except Unsound as unsound:
            log_unsound(kind, Path(slug), unsound.fault, is_kept=True)
            return None
        return state.exercise if isinstance(state, ReadExercise) else state.course


def _without(mapping: Mapping[Key, Value], key: Key) -> dict[Key, Value]:
    return {name: value for name, value in mapping.items() if name != key}

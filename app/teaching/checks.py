"""Checks: the gate for a state of an exercise or a course that may lie in no folder yet, in the background.

It is the gate of `./lectern check`, asked about files in memory. One check runs at a time in a process, after students'
submissions (graders/boxes/patience.py). Of each subject only the newest wanted state waits or runs, and those that
somebody waits for (`wait`).

A row says what was found, and is written once a check has come to its end; before that there is none. So a check that
was interrupted has found nothing, whatever it had seen, and runs again when it is wanted again. What was found while
the database is in trouble is kept until it can be written. A row counts for the edition that made it alone: the judge's
code, the frameworks' releases and the operator's limits.
"""

import hashlib
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import structlog
from sqlalchemy import CheckConstraint, Index, String, Text, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.check import check_course_files, check_exercise_files
from app.content.reading import Reader, edition_of_reading
from app.db import Base, Database, Moment, now
from app.queue.recorder import DATABASE_TROUBLE, may_pass
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.patience import PatientJudge, Stale
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.cache import RecentCache
from graders.cell import Busy
from graders.exercise.built import versions
from graders.exercise.definition import JUDGE_VERSION
from graders.exercise.fault import Fault
from graders.exercise.folder import hash_files
from graders.exercise.limits import Limits
from graders.proof.admitted import Admitted
from graders.proof.report import ProofReport
from graders.text import storable

if TYPE_CHECKING:
    from app.queue.elsewhere import Elsewhere  # the client of a broker is for those who have one

State = Literal["queued", "running", "finished"]
Key = tuple[str, str, str]  # kind, slug, content hash

KEPT = 50  # rows of one subject; what an older one found is found again
AGAIN_SECONDS = 5.0  # after which a check that this machine could not run is tried again
TRIES = 3  # of a check that ends in a fault of ours
FORMAT = "2"  # of `record` and `report`

log = structlog.get_logger("lectern.checks")


class ContentCheck(Base):
    """What the gate found about one state, as JSON. `record`: faults and counts; `report`: all else, which is large."""

    __tablename__ = "content_check"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'course')", "kind"),
        Index("ix_content_check_kind_slug_finished_at", "kind", "slug", "finished_at"),
    )

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(120), primary_key=True)
    content_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    edition: Mapped[str] = mapped_column(String(64))
    ok: Mapped[bool]
    record: Mapped[str] = mapped_column(Text)
    report: Mapped[str | None] = mapped_column(Text, deferred=True)
    finished_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Check:
    """How far the gate is with one state, and what it found.

    `step`: what it does now, or why it waits; `steps`: what it has done, and that.
    """

    state: State
    ok: bool | None = None
    faults: tuple[Fault, ...] = ()
    mutants: int | None = None
    killed: int | None = None
    equivalent: int | None = None
    step: str | None = None
    report: ProofReport | None = None  # of an exercise whose cases could be made, for who asks for it
    steps: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "state": self.state,
            "ok": self.ok,
            "faults": [vars(fault) for fault in self.faults],
            "mutants": self.mutants,
            "killed": self.killed,
            "equivalent": self.equivalent,
        }


@dataclass
class _Job:
    """A state that is wanted. `waiting`: how many wait for it, whatever is wanted after it. `found`: what is not stored
    yet, and the exercises that it embeds, each with whether it was there."""

    key: Key
    files: Mapping[str, bytes]
    steps: tuple[str, ...] = ()
    is_running: bool = False
    is_dropped: bool = False
    waiting: int = 0
    tries: int = 0
    not_before: float = 0.0
    found: tuple[Check, Mapping[str, bool]] | None = None

    def shown(self) -> Check:
        step = self.steps[-1] if self.steps else None
        return Check("running" if self.is_running else "queued", step=step, steps=self.steps)

    def begin_step(self, line: str) -> None:
        """How far one step is, is told in its own line."""
        is_same = bool(self.steps) and _without_numbers(self.steps[-1]) == _without_numbers(line)
        self.steps = (*(self.steps[:-1] if is_same else self.steps), line)


class Checks:
    """`judge` None: workers `elsewhere` check. With neither, this process only shows what another has found.

    `siblings`: the exercises that links may name now. `admitted`: where it is noted which exercises passed, so that the
    judge need not admit them once more when they are published. `on_change` are called, from any thread, with the kind,
    slug and content hash of a check that has come further.
    """

    def __init__(
        self,
        database: Database,
        judge: Judge | None,
        reader_cache: Path | None,
        ceilings: Limits,
        siblings: Callable[[], set[str]],
        admitted: Admitted | None,
        elsewhere: "Elsewhere | None" = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._elsewhere, self._clock = elsewhere, clock
        self._database, self._judge, self._cache, self._ceilings = database, judge, reader_cache, ceilings
        self._siblings, self._admitted = siblings, admitted
        self._jobs: OrderedDict[Key, _Job] = OrderedDict()
        self._failed: RecentCache[Key, Check] = RecentCache(KEPT)  # by our own fault: kept by this process alone
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="checks", daemon=True)
        self.on_change: list[Callable[[str, str, str], None]] = []

    def start(self) -> None:
        if self.can_run:
            self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """What runs now is left as it is; it has found nothing."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def can_run(self) -> bool:
        """Whether this process can have anything checked."""
        return self._judge is not None or self._elsewhere is not None

    # ------------------------------------------------------------------ what others ask

    def want(self, kind: str, slug: str, files: Mapping[str, bytes], *, is_newest: bool = True) -> None:
        """Have this state checked, unless it is known. Others of the same subject that wait or run are dropped where
        this is the newest, but for those that somebody waits for."""
        key = kind, slug, hash_files(files)
        with self._database.reading() as db:
            known = self._known(db, key)
        if not self.can_run:
            return
        dropped = []
        with self._changed:
            for other in [job for job in self._jobs.values() if job.key[:2] == key[:2] and job.key != key]:
                if is_newest and not other.waiting:
                    other.is_dropped = True
                    del self._jobs[other.key]
                    dropped.append(other.key)
            if known is None and key not in self._jobs:
                self._jobs[key] = _Job(key, dict(files))
            self._changed.notify_all()
        for one in (*dropped, key):
            self._tell(one)

    def want_again(self, kind: str, slug: str, files: Mapping[str, bytes]) -> None:
        """Check it once more, whatever was found: the machine may only have been busy."""
        key = kind, slug, hash_files(files)
        self._failed.pop(key)
        with self._database.writing() as db:
            db.execute(delete(ContentCheck).where(*_named(key)))
        self.want(kind, slug, files, is_newest=False)

    def of(self, db: Session, kind: str, slug: str, content_hash: str, *, in_full: bool = False) -> Check | None:
        """None for what is neither known nor wanted: nobody asked, or it was cut short. `in_full`: with its report."""
        key = kind, slug, content_hash
        with self._changed:
            job = self._jobs.get(key)
            if job is not None:
                return job.shown()
        return self._known(db, key, in_full)

    def wait(self, kind: str, slug: str, content_hash: str, seconds: float) -> Check:
        """The check once it is finished, or as it stands when time is up. Blocks; the caller holds no transaction.

        What is waited for is not dropped for a newer state.
        """
        key = kind, slug, content_hash
        with self._changed:
            job = self._jobs.get(key)
            if job is not None:
                job.waiting += 1
                try:
                    self._changed.wait_for(lambda: self._jobs.get(key) is not job or self._stopping, seconds)
                finally:
                    job.waiting -= 1
        with self._database.reading() as db:
            return self.of(db, kind, slug, content_hash) or Check("queued", step=self._why_not_wanted())

    def _why_not_wanted(self) -> str | None:
        return None if self.can_run else "waits for a server that judges"

    # ------------------------------------------------------------------ what is known

    def _known(self, db: Session, key: Key, in_full: bool = False) -> Check | None:
        if (failed := self._failed.get(key)) is not None:
            return failed
        row = db.scalar(select(ContentCheck).where(*_named(key)))
        if row is None or row.edition != self._edition():
            return None
        try:
            record = json.loads(row.record)
            faults = tuple(Fault(*fault) for fault in record["faults"])
            if any(present != (slug in self._siblings()) for slug, present in record["embedded"].items()):
                return None  # what its lessons embed has come or gone since
            text = row.report if in_full else None
            report = ProofReport.from_record(json.loads(text)) if text is not None else None
            return Check("finished", row.ok, faults, *_counts(record["counts"]), report=report)
        except (ValueError, KeyError, TypeError):
            return None  # of another version: it proves nothing

    def _keep(self, key: Key, check: Check, embedded: Mapping[str, bool]) -> None:
        counts = {"mutants": check.mutants, "killed": check.killed, "equivalent": check.equivalent}
        faults = [astuple(_storable(fault)) for fault in check.faults]
        record = {"faults": faults, "counts": counts, "embedded": embedded}
        report = json.dumps(check.report.record()) if check.report is not None else None
        kind, slug, content_hash = key
        row = ContentCheck(
            kind=kind, slug=slug, content_hash=content_hash, edition=self._edition(), ok=check.ok is True,
            record=json.dumps(record), report=report,
        )  # fmt: skip
        subject = ContentCheck.kind == kind, ContentCheck.slug == slug
        with self._database.writing() as db:
            db.execute(delete(ContentCheck).where(*_named(key)))
            newest = select(ContentCheck.finished_at).where(*subject).order_by(ContentCheck.finished_at.desc())
            if (oldest := db.scalar(newest.offset(KEPT - 2).limit(1))) is not None:
                db.execute(delete(ContentCheck).where(*subject, ContentCheck.finished_at < oldest))
            db.add(row)

    def _edition(self) -> str:
        parts = (FORMAT, JUDGE_VERSION, edition_of_reading(), versions(), repr(self._ceilings))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._check(job)
            except Stale:
                pass
            except (JudgeUnavailable, BoxLost) as refused:
                where = "no worker can" if self._judge is None else "this machine cannot"
                self._put_off(job, f"waits, since {where} judge now: {refused}")
            except Busy:
                self._put_off(job, "waits, since every worker has a check already")
            except Exception as error:
                log.exception("check_failed", kind=job.key[0], slug=job.key[1])
                job.tries += 1
                if job.tries < TRIES:
                    self._put_off(job, "is tried again")
                else:
                    self._give_up(job, error)
            self._tell(job.key)

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._stopping:
                moment = self._clock()
                free = next((job for job in self._jobs.values() if job.not_before <= moment), None)
                if free is not None:
                    free.is_running = True
                    if free.found is None:
                        free.steps = ()
                    return free
                soonest = min((job.not_before for job in self._jobs.values()), default=None)
                self._changed.wait(None if soonest is None else soonest - moment)
        return None

    def _check(self, job: _Job) -> None:
        """Raises Stale, JudgeUnavailable, BoxLost, Busy."""
        kind, slug, _ = job.key
        if job.found is None:
            job.found = self._found_elsewhere(job) if self._judge is None else self._found_here(self._judge, job)
        with self._changed:
            if job.is_dropped or self._stopping:
                raise Stale
        try:
            self._keep(job.key, *job.found)
        except IntegrityError:
            log.info("check_kept_by_another", kind=kind, slug=slug)
        except DATABASE_TROUBLE as error:
            if not may_pass(error):
                raise
            log.error("check_not_stored", kind=kind, slug=slug, cause=str(error), remedy="trying again")
            self._put_off(job, "waits until the database can store the result")
            return
        with self._changed:
            self._done(job)

    def _is_stale(self, job: _Job) -> bool:
        return job.is_dropped or self._stopping

    def _found_elsewhere(self, job: _Job) -> tuple[Check, Mapping[str, bool]]:
        assert self._elsewhere is not None
        kind, slug, _ = job.key
        siblings, step = self._siblings(), _Step(self, job)
        found = self._elsewhere.check(kind, slug, job.files, siblings, step, partial(self._is_stale, job))
        return _finished(found.faults, found.report, found.counts), {name: name in siblings for name in found.embedded}

    def _found_here(self, own: Judge, job: _Job) -> tuple[Check, Mapping[str, bool]]:
        if (refusal := own.why_not()) is not None:
            raise refusal
        kind, slug, _ = job.key
        judge = PatientJudge(own, partial(self._is_stale, job))
        siblings = self._siblings()
        step = _Step(self, job)
        embedded: Mapping[str, bool] = {}
        with Reader(self._cache, self._ceilings) as reader:
            if kind == "exercise":
                proved = check_exercise_files(slug, job.files, reader, judge, siblings, step, self._admitted)
                faults, counts = proved.faults, proved.counts
                report = proved.report if proved.report.cases else None
            else:
                read = check_course_files(slug, job.files, reader, judge, siblings, step)
                faults, report, counts = read.faults, None, {}
                embedded = {name: name in siblings for name in read.embedded}
        return _finished(faults, report, counts), embedded

    def _put_off(self, job: _Job, step: str) -> None:
        with self._changed:
            job.is_running, job.steps, job.not_before = False, (step,), self._clock() + AGAIN_SECONDS
            if self._jobs.get(job.key) is job:
                self._jobs.move_to_end(job.key)

    def _give_up(self, job: _Job, error: Exception) -> None:
        message = f"Lectern could not check this: {type(error).__name__}: {error}."
        fault = Fault("error", "", None, "internal", message[:500], "This is a fault in Lectern. Report it.")
        self._failed.put(job.key, Check("finished", False, (fault,)))
        with self._changed:
            self._done(job)

    def _done(self, job: _Job) -> None:
        """The caller holds `_changed`."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        self._changed.notify_all()

    def _tell(self, key: Key) -> None:
        for listener in [*self.on_change]:
            listener(*key)


class _Step:
    """What the gate says that it does: told to those who look on."""

    def __init__(self, checks: Checks, job: _Job) -> None:
        self._checks, self._job = checks, job

    def __call__(self, line: str) -> None:
        self._job.begin_step(line)
        self._checks._tell(self._job.key)


def check_key(kind: str, slug: str, content_hash: str) -> str:
    """What its followers listen for."""
    return f"check {kind} {slug} {content_hash}"


def _finished(faults: Sequence[Fault], report: ProofReport | None, counts: Mapping[str, int | None]) -> Check:
    ok = not any(fault.severity == "error" for fault in faults)
    return Check("finished", ok, tuple(faults), *_counts(counts), report=report)


def _without_numbers(line: str) -> str:
    return re.sub(r"\d+", "", line)


def _named(key: Key) -> tuple[Any, ...]:
    kind, slug, content_hash = key
    return ContentCheck.kind == kind, ContentCheck.slug == slug, ContentCheck.content_hash == content_hash


def _counts(counts: Mapping[str, int | None]) -> tuple[int | None, int | None, int | None]:
    return counts.get("mutants"), counts.get("killed"), counts.get("equivalent")


def _storable(fault: Fault) -> Fault:
    return replace(fault, path=storable(fault.path), message=storable(fault.message), hint=storable(fault.hint))

"""The thread that makes dry runs: it judges what a class sent by another revision, after students' submissions. Between
them it makes the reports that compare variants, for which it judges likewise (`variant_reports.py`).

One process works on a regrading at a time, by a lease; where a process ends, another goes on with what is left. Each
result is stored as it comes. A box that is lost is our failure: that submission is tried again, three times.

While students send, it leaves the machine to them: after each submission it rests four times as long as that took. A
student never waits behind it for a box, but they would for its share of the processor.
"""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import select

from app.classes import leases, regradings, variant_reports
from app.classes.regradings import Regrading, RegradingItem
from app.classes.variant_reports import Due, VariantReport
from app.db import Database, now
from app.practice.gradings import ungraded
from app.practice.submissions import Submission
from app.queue.messages import finished_row
from app.reading.catalog import Catalog
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.patience import PatientJudge, Stale
from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.cell import Busy
from graders.exercise.definition import BrokenExercise, Exercise
from graders.grade import Finished, grade
from graders.verdict import Verdict

if TYPE_CHECKING:
    from app.queue.elsewhere import Elsewhere  # the client of a broker is for those who have one

log = structlog.get_logger("lectern.regrading")

LOOK_SECONDS = 5.0  # between two looks for what another process has begun, or left
AGAIN_SECONDS = 2.0  # after a failure of ours
AT_A_TIME = 20
TRIES = 3
SENDING_SECONDS = 10.0  # since the last submission: so long do students send
RESTS = 4  # as long as judging took; measured with `benchmarks.classroom --regrade`
MOST_REST_SECONDS = 2.0


class Regrader:
    """`judge` None: workers `elsewhere` judge. With neither, this process makes no dry runs."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        judge: Judge | None,
        elsewhere: "Elsewhere | None",
        owner: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._catalog, self._owner, self._clock = database, catalog, owner, clock
        self._judge, self._elsewhere = judge, elsewhere
        self._wanted, self._closed = threading.Event(), threading.Event()
        self._tended = leases.Tended(database, owner, (Regrading, VariantReport))
        self._thread = threading.Thread(target=self._run, name="regrader", daemon=True)

    def start(self) -> None:
        if self._judge is not None or self._elsewhere is not None:
            self._thread.start()
            self._tended.start()

    def close(self, seconds: float = 5.0) -> None:
        """Another process goes on with it at once. What is being judged at this moment is judged again."""
        self._closed.set()
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join(seconds)
        self._tended.close(seconds)

    def look(self) -> None:
        """A regrading or a report has begun."""
        self._wanted.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wanted.clear()
            try:
                worked = self._work()
            except Stale:
                continue
            except Exception:
                log.exception("regrading_failed", remedy="trying again")
                worked = False
            if not worked:
                self._wanted.wait(LOOK_SECONDS)

    def _work(self) -> bool:
        """One regrading to its end, or one report. False: there is none."""
        with self._database.writing(durable=False) as db:
            regrading = leases.claim(db, Regrading, self._owner)
            report = leases.claim(db, VariantReport, self._owner) if regrading is None else None
        if report is not None:
            with self._tended.working_on(VariantReport, report.id):
                self._compare(report)
        elif regrading is not None:
            with self._tended.working_on(Regrading, regrading.id):
                self._regrade(regrading)
        return report is not None or regrading is not None

    def _regrade(self, regrading: Regrading) -> None:
        assert regrading.snapshot_id is not None
        try:
            exercise = self._catalog.judged_by(regrading.snapshot_id)
        except BrokenExercise as broken:
            self._end(regrading, "failed", f"This revision cannot be judged by: {broken}")
            return
        while not self._closed.is_set():
            with self._database.reading() as db:
                left = regradings.left_of(db, regrading.id, AT_A_TIME)
            if not left:
                self._end(regrading, "finished")
                return
            for item, submission, seed in left:
                own = self._catalog.in_state(exercise, submission.snapshot_id)
                if not self._judged(regrading, own, item, submission, seed):
                    return

    def _judged(
        self, regrading: Regrading, exercise: Exercise, item: RegradingItem, submission: Submission, seed: int | None
    ) -> bool:
        """By this variant of the revision. False: the regrading is another's now, or gone."""
        assert regrading.snapshot_id is not None
        snapshot_id = self._catalog.snapshot_of(exercise) if exercise.variant else regrading.snapshot_id
        finished = self._again(exercise, submission, seed)
        if finished.reason:
            log.error("regrading_not_judged", submission=submission.id, reason=finished.reason)
        with self._database.writing(durable=False) as db:
            if not leases.renew(db, Regrading, regrading.id, self._owner):
                return False
            regradings.store_result(db, item, {**finished_row(finished), "snapshot_id": snapshot_id}, finished)
        return True

    def _compare(self, report: VariantReport) -> None:
        try:
            first = self._catalog.judged_by(report.snapshot_id)
        except BrokenExercise as broken:
            self._end_report(report, "failed", f"This exercise cannot be judged by: {broken}")
            return
        while not self._closed.is_set():
            due = variant_reports.due_of(self._database, self._catalog, report, first, AT_A_TIME)
            if not due:
                self._end_report(report, "finished")
                return
            for one in due:
                if not self._compared(report, first, one):
                    return

    def _compared(self, report: VariantReport, first: Exercise, due: Due) -> bool:
        """False: another report has taken its place, or another process has it."""
        fits, failed = [], 0
        for number in due.numbers:
            result = self._again(first.in_variant(number), due.submission, None).result
            fits += [number] if result.verdict == Verdict.accepted else []
            failed += result.verdict == Verdict.internal_error
            if not self._is_still_ours(report):
                return False
        with self._database.writing(durable=False) as db:
            variant_reports.store_fits(db, due.item, fits, failed)
        return True

    def _is_still_ours(self, report: VariantReport) -> bool:
        with self._database.writing(durable=False) as db:
            return leases.renew(db, VariantReport, report.id, self._owner)

    def _end_report(self, report: VariantReport, state: leases.State, why: str = "") -> None:
        with self._database.writing() as db:
            leases.end(db, VariantReport, report.id, self._owner, state, why, finished_at=now())
        log.info("variants_compared", report=report.id, state=state)

    def _again(self, exercise: Exercise, submission: Submission, seed: int | None) -> Finished:
        """The verdict by this exercise. Raises Stale."""
        lost = 0
        while True:
            begun = self._clock()
            try:
                finished = self._verdict(exercise, submission, seed)
                self._rest(self._clock() - begun)
                return finished
            except BoxLost as error:
                lost += 1
                if lost == TRIES:
                    return Finished(ungraded(), str(error))
            except (JudgeUnavailable, Busy) as error:  # as long as nobody can judge, it waits
                log.info("regrading_waits", reason=str(error))
            if self._closed.wait(AGAIN_SECONDS):
                raise Stale

    def _rest(self, seconds: float) -> None:
        """After work that took so long, if students are sending."""
        with self._database.reading() as db:
            last = db.scalar(select(Submission.created_at).order_by(Submission.id.desc()).limit(1))
        if last is not None and now() - last < timedelta(seconds=SENDING_SECONDS):
            self._closed.wait(min(RESTS * seconds, MOST_REST_SECONDS))

    def _verdict(self, exercise: Exercise, submission: Submission, seed: int | None) -> Finished:
        source, framework = submission.source, submission.framework
        if self._judge is None:
            assert self._elsewhere is not None
            return self._elsewhere.regrade(exercise, source, framework, seed, self._closed.is_set)
        if (refusal := self._judge.why_not()) is not None:
            raise refusal
        judge = PatientJudge(self._judge, self._closed.is_set)
        events = grade(exercise, source, framework, judge, seed=seed)
        return next(event for event in events if isinstance(event, Finished))

    def _end(self, regrading: Regrading, state: leases.State, why: str = "") -> None:
        with self._database.writing() as db:
            leases.end(db, Regrading, regrading.id, self._owner, state, why)
        log.info("regrading_ended", regrading=regrading.id, state=state)

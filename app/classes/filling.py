"""What the demo's class holds (`demo.py`): its dates around today, its people, and a term of work in which there is
something to find: a question whose key is wrong, somebody who is stuck right now, and five copies of one program.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.classes.assignments import Schedule, give_extension, put_assignment, require_assignment
from app.classes.classes import Class, Enrolment, Member, new_code
from app.classes.gradebook import override_score
from app.classes.made_up import (
    BrokenKey,
    Program,
    Sent,
    Shelf,
    Window,
    attempts_of,
    copies_of,
    made_up_people,
    shelf_of,
)
from app.classes.made_up_rows import write_help, write_people, write_reading, write_sittings, write_work
from app.classes.rights import ClassRole
from app.content.exercise import split_hints
from app.db import Database, now
from app.people.users import Role, User, add_user
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.submissions import Submission
from app.queue.turns import Waiting
from app.reading.catalog import Catalog
from graders.verdict import State, Verdict

TITLE, COURSE, TIMEZONE = "Positions, spring 2027", "positions", "Europe/Zurich"
QUIZ, PAST, CURRENT, COMING = (
    "test-your-understanding", "softmax-rows", "learned-absolute-position-embedding", "flax-learned-pos",
)  # fmt: skip
SEED = TITLE
STUDENTS, ASSISTANTS = 300, 2
INSTRUCTOR = "instructor@example.org"
STUCK_FAILURES = 7
EARLY_BIRDS = 9  # who have tried what is not open yet
BROKEN = BrokenKey("berts-positions", "A row of a trained table")
AT_ONCE = 400  # numbers in one statement
PEOPLE_AT_ONCE = 30  # whose quizzes are one transaction, for which anyone who opens a link meanwhile waits
CASES = ("summary", "diagnosis", "mistake", "cases", "sheet_id", "wall_ms", "peak_mb", "seed")


class Filling:
    """One class, opened and then filled. Each verb opens transactions of its own."""

    def __init__(self, database: Database, catalog: Catalog, can_judge: bool) -> None:
        """Without `can_judge` every verdict is written at once, and none has cases."""
        self._database, self._catalog, self._can_judge = database, catalog, can_judge
        self._chance = random.Random(SEED)  # noqa: S311 (of people who do not exist)
        self._now = now()
        self._people = made_up_people(STUDENTS + ASSISTANTS, SEED)
        self._students = self._people[:STUDENTS]
        self._windows = {slug: self._window(*days) for slug, days in DAYS.items()}
        self._same: dict[int, Sequence[int]] = {}  # by what waits: submissions of the same program
        self.class_id = self.instructor_id = self.submissions = 0
        self._user_ids: list[int] = []

    @property
    def typical_id(self) -> int:
        """A student in the middle."""
        middle = sorted(range(STUDENTS), key=lambda place: self._students[place].ability)[STUDENTS // 2]
        return self._user_ids[middle]

    def _window(self, opens: int, due: int, closes: int) -> Window:
        """Days from today, each at 18:00."""
        today = self._now.astimezone(ZoneInfo(TIMEZONE)).replace(hour=18, minute=0, second=0, microsecond=0)
        return Window(*((today + timedelta(days=days)).astimezone(UTC) for days in (opens, due, closes)))

    # ---- people and dates ----

    def open_class(self) -> None:
        """The class with its dates and its people, but nothing that they did."""
        begun = self._windows[PAST].opens_at - timedelta(days=3)
        with self._database.writing() as db:
            instructor = add_user(db, INSTRUCTOR, Role.instructor, None)
            class_ = Class(
                course=COURSE, title=TITLE, timezone=TIMEZONE, join_code=new_code(), drop_lowest=0, created_at=begun
            )
            db.add(class_)
            db.flush()
            db.add(Enrolment(class_id=class_.id, user_id=instructor.id, role=ClassRole.instructor, joined_at=begun))
            db.flush()
            self.class_id, self.instructor_id = class_.id, instructor.id
            member = self._member(db)
            for slug, window in self._windows.items():
                kind = "quiz" if slug == QUIZ else "exercise"
                put_assignment(db, member, self._catalog, kind, slug, _schedule(slug, window))
        with self._database.changing() as connection:
            write_people(connection, self.class_id, self._people[STUDENTS:], begun, ClassRole.assistant)
            self._user_ids = write_people(connection, self.class_id, self._students, begun + timedelta(days=1))

    def _member(self, db: Session) -> Member:
        enrolment = db.get_one(Enrolment, (self.class_id, self.instructor_id))
        return Member(db.get_one(Class, self.class_id), enrolment, db.get_one(User, self.instructor_id))

    # ---- the term ----

    def fill(self) -> list[Waiting]:
        """Everything that they did. Returns what is to be judged."""
        sent = self._sent()
        waiting = _one_of_each(sent) if self._can_judge else set()
        course = self._catalog.courses[COURSE]
        quiz = next(lesson for lesson in course.lessons if lesson.slug == QUIZ)
        snapshot_id = self._catalog.course_snapshot_ids[COURSE]
        hints = {slug: len(split_hints(self._catalog.exercises[slug].hints)) for slug in (PAST, CURRENT, COMING)}
        with self._database.changing(durable=False) as db:
            ids = write_work(db, self._user_ids, self._catalog.snapshot_ids, sent, waiting)
            write_help(db, self._chance, self._user_ids, sent, hints)
        begun = self._windows[PAST].opens_at
        for start in range(0, STUDENTS, PEOPLE_AT_ONCE):
            lot = slice(start, start + PEOPLE_AT_ONCE)
            some, their_ids = self._students[lot], self._user_ids[lot]
            with self._database.changing(durable=False) as db:
                window = self._windows[QUIZ]
                write_sittings(db, self._chance, some, their_ids, quiz, snapshot_id, window, self._now, BROKEN)
                write_reading(db, self._chance, some, their_ids, course.lessons, begun, self._now)
        with self._database.writing() as db:
            self._make_exceptions(db)
        self.submissions = len(ids)
        of_program: dict[Program, list[int]] = defaultdict(list)
        for place, (id, one) in enumerate(zip(ids, sent, strict=True)):
            if place not in waiting:
                of_program[one.program].append(id)
        self._same = {ids[place]: of_program[sent[place].program] for place in waiting}
        return self._queued(sorted(self._same))

    def _sent(self) -> list[Sent]:
        """In the order it was sent."""
        shelves = {slug: shelf_of(self._catalog.exercises[slug]) for slug in (PAST, CURRENT, COMING)}
        sent: list[Sent] = []
        for place, student in enumerate(self._students):
            for slug in (PAST, CURRENT):
                sent += attempts_of(self._chance, place, student, shelves[slug], self._windows[slug], self._now)
        by_ability = sorted(range(STUDENTS), key=lambda place: self._students[place].ability)
        early = Window(self._now - timedelta(days=6), self._now - timedelta(hours=3), self._now)
        for place in by_ability[-EARLY_BIRDS:]:
            sent += attempts_of(self._chance, place, self._students[place], _few(shelves[COMING]), early, self._now)
        stuck, copiers = by_ability[12], [by_ability[20 + 31 * number] for number in range(5)]
        apart = {stuck, *copiers}
        sent = [one for one in sent if one.program.exercise != CURRENT or one.student not in apart]
        sent += self._stuck(stuck, shelves[CURRENT]) + self._copied(copiers)
        return sorted(sent, key=lambda one: one.at)

    def _stuck(self, place: int, shelf: Shelf) -> list[Sent]:
        """The same mistake again and again, in the last half hour."""
        program = next(one for one in shelf.wrong if one.framework == "numpy" and one.verdict == Verdict.wrong_answer)
        ago = [27.0 - number * (25.0 / STUCK_FAILURES) for number in range(STUCK_FAILURES)]
        return [Sent(place, self._now - timedelta(minutes=minutes), program) for minutes in ago]

    def _copied(self, places: Sequence[int]) -> list[Sent]:
        """Within an evening, one after the other."""
        at = max(self._windows[CURRENT].opens_at, self._now - timedelta(hours=21))
        hours = (0.0, 1.2, 1.7, 2.9, 3.1)
        return [
            Sent(place, at + timedelta(hours=after), copy)
            for place, after, copy in zip(places, hours, copies_of(CURRENT), strict=True)
        ]

    def _make_exceptions(self, db: Session) -> None:
        """Extensions, an excuse, and scores that an instructor has replaced."""
        member = self._member(db)
        chosen = self._chance.sample(self._user_ids, 9)
        later = timedelta(days=3)
        for user_id, reason in zip(chosen[:4], ("ill", "ill", "a conference", "moved house"), strict=True):
            due_at = self._windows[PAST].due_at + later
            give_extension(db, member, user_id, "exercise", PAST, due_at=due_at, attempts=None, reason=reason)
        for user_id, reason in zip(chosen[4:6], ("ill", "an exam on the same day"), strict=True):
            due_at = self._windows[CURRENT].due_at + later
            give_extension(db, member, user_id, "exercise", CURRENT, due_at=due_at, attempts=None, reason=reason)
        give_extension(
            db, member, chosen[6], "quiz", QUIZ, due_at=None, attempts=None, excused=True, reason="joined later"
        )
        assignment = require_assignment(db, member, "exercise", PAST)
        override_score(db, member, chosen[7], assignment, 0.8, "Handed in by mail, after the network had failed.")
        override_score(db, member, chosen[8], assignment, 1.0, "Right on paper; the upload was cut off.")

    def _queued(self, submission_ids: Sequence[int]) -> list[Waiting]:
        found = (
            select(Grading.id, Submission.id, Submission.user_id, Submission.exercise, Submission.framework)
            .join(Submission, Submission.id == Grading.submission_id)
            .where(Submission.id.in_(submission_ids))
            .order_by(Submission.id)
        )
        with self._database.reading() as db:
            return [
                Waiting(grading_id, id, user_id, exercise=exercise, framework=framework)
                for grading_id, id, user_id, exercise, framework in db.execute(found)
            ]

    # ---- verdicts ----

    def spread(self) -> int:
        """What has its verdict by now gives its cases to all submissions of the same program. Returns how many wait."""
        judged = select(Grading).where(Grading.submission_id.in_(list(self._same)), Grading.state == State.finished)
        with self._database.reading() as db:
            found = list(db.scalars(judged))
        for grading in found:
            same = self._same.pop(grading.submission_id)
            if same and grading.verdict != Verdict.internal_error:
                self._give(grading, same)
        return len(self._same)

    def _give(self, grading: Grading, same: Sequence[int]) -> None:
        values = {name: getattr(grading, name) for name in CASES}
        with self._database.writing(durable=False) as db:
            outcome = db.get(WrongOutcome, grading.submission_id)
            for start in range(0, len(same), AT_ONCE):
                some = same[start : start + AT_ONCE]
                alike = update(Grading).where(Grading.submission_id.in_(some), Grading.verdict == grading.verdict)
                alike = alike.where(Grading.sheet_id.is_(None))
                db.execute(alike.values(**values).execution_options(synchronize_session=False))
                if outcome is not None:
                    print_of = update(WrongOutcome).where(WrongOutcome.submission_id.in_(some))
                    values_of = print_of.values(fingerprint=outcome.fingerprint, mistake=outcome.mistake)
                    db.execute(values_of.execution_options(synchronize_session=False))


# When each opens, is due and closes: days from today.
DAYS = {PAST: (-56, -35, -28), QUIZ: (-30, -9, -2), CURRENT: (-12, 1, 8), COMING: (6, 20, 27)}


def _schedule(slug: str, window: Window) -> Schedule:
    dates = Schedule(window.opens_at, window.due_at, window.closes_at)
    if slug == QUIZ:
        return replace(dates, answers_shown="closed")
    return replace(dates, weight=2.0 if slug == CURRENT else 1.0, late_per_day=0.1, grace_minutes=15)


def _few(shelf: Shelf) -> Shelf:
    """Enough for a handful of people: each is judged, and a module of Flax takes the judge a while."""
    return Shelf(shelf.right[:1], shelf.wrong[:2])


def _one_of_each(sent: Sequence[Sent]) -> set[int]:
    """Of each program one place: the last thing that its author sent to the exercise, so that nothing comes after a
    verdict that is not there yet."""
    last = {(one.student, one.program.exercise): place for place, one in enumerate(sent)}
    found = {sent[place].program: place for place in last.values()}
    return set(found.values())

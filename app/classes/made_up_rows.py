"""Made-up classes as rows, many at a time: what months of a class would have left in the tables, written in seconds.

Each table is written as its own room writes it: a verdict with the effort and the wrong outcome that go with it, a
quiz attempt with its responses, its answers and the lesson that is read with it.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Table, func, insert, select, text, update
from sqlalchemy.engine import Connection

from app.classes.classes import Enrolment
from app.classes.made_up import BrokenKey, Sent, Student, Window, reply_to
from app.classes.rights import ClassRole
from app.content.lesson import Lesson
from app.content.questions.asking import is_graded_by_hand
from app.content.questions.question import Question, draw
from app.db import Base
from app.people.quota import stored_bytes
from app.people.users import Role, User
from app.practice.efforts import Effort
from app.practice.gradings import Grading
from app.practice.hints import HintOpened
from app.practice.outcomes import WRONG, WrongOutcome
from app.practice.solutions import GiveUp
from app.practice.submissions import Submission
from app.quizzes.answers import Answer, Occasion
from app.quizzes.responses import SittingResponse, judged
from app.quizzes.sittings import RESPONSE_BYTES, Sitting, drawn_questions, points_of
from app.reading.lessons import LessonRead
from graders.verdict import State, Verdict

AT_ONCE = 2000  # rows of one statement


class Rows:
    """Rows that are to be written, by table, in the order in which tables were first named."""

    def __init__(self) -> None:
        self._rows: dict[type[Base], list[dict[str, Any]]] = {}

    def add(self, table: type[Base], **values: Any) -> None:
        self._rows.setdefault(table, []).append(values)

    def write(self, db: Connection) -> None:
        for model, rows in self._rows.items():
            for start in range(0, len(rows), AT_ONCE):
                db.execute(insert(_table(model)), rows[start : start + AT_ONCE])
        self._rows = {}


def write_people(
    db: Connection, class_id: int, students: Sequence[Student], joined_at: datetime, role: ClassRole = ClassRole.student
) -> list[int]:
    """Their numbers, in their order. None of them has a password: nobody signs in as them."""
    rows, first = Rows(), _next_id(db, User)
    for number, one in enumerate(students, first):
        rows.add(User, id=number, email=one.email, role=Role.student, created_at=joined_at)
        rows.add(
            Enrolment, class_id=class_id, user_id=number, role=role, name=one.name, section=one.section,
            joined_at=joined_at,
        )  # fmt: skip
    rows.write(db)
    _count_on(db, User)
    return list(range(first, first + len(students)))


def write_work(
    db: Connection,
    user_ids: Sequence[int],
    snapshot_ids: Mapping[str, int],
    sent: Iterable[Sent],
    waiting: Collection[int] = (),
) -> list[int]:
    """What was sent, in the order it was sent, with its verdicts. `waiting`: the places in that order of what is yet
    to be judged: its verdict, and what follows from it, is written when it has one. Returns the submissions' numbers.
    """
    rows, first = Rows(), _next_id(db, Submission)
    made: dict[tuple[int, str], list[Sent]] = defaultdict(list)
    bytes_of: dict[int, int] = defaultdict(int)
    ordered = sorted(sent, key=lambda one: one.at)
    for place, one in enumerate(ordered):
        id, user_id, program = first + place, user_ids[one.student], one.program
        rows.add(
            Submission, id=id, user_id=user_id, snapshot_id=snapshot_ids[program.exercise], exercise=program.exercise,
            framework=program.framework, kind="submit", source=program.source, created_at=one.at,
        )  # fmt: skip
        bytes_of[user_id] += len(program.source)
        if place in waiting:
            rows.add(Grading, **_graded(id, one, State.queued))
            continue
        rows.add(Grading, **_graded(id, one, State.finished))
        made[user_id, program.exercise].append(one)
        if program.verdict in WRONG:
            rows.add(WrongOutcome, submission_id=id, exercise=program.exercise, mistake=program.mistake)
    for (user_id, exercise), theirs in made.items():
        rows.add(Effort, user_id=user_id, exercise=exercise, **_effort(theirs))
    rows.write(db)
    _store(db, bytes_of)
    _count_on(db, Submission)
    return list(range(first, first + len(ordered)))


def _graded(submission_id: int, one: Sent, state: State) -> dict[str, Any]:
    program, begun = one.program, one.at + timedelta(milliseconds=40)
    row: dict[str, Any] = {"submission_id": submission_id, "state": state, "cases": [], "queued_at": one.at}
    row |= dict.fromkeys(("verdict", "score", "mistake", "diagnosis", "started_at", "finished_at"))
    row["attempt"] = 0
    if state == State.finished:
        row |= {"attempt": 1, "verdict": program.verdict, "score": program.score, "mistake": program.mistake}
        row |= {"diagnosis": program.diagnosis, "started_at": begun, "finished_at": begun + timedelta(milliseconds=90)}
    return row


def _effort(made: Sequence[Sent]) -> dict[str, Any]:
    solved = next((place for place, one in enumerate(made) if one.program.verdict == Verdict.accepted), None)
    return {
        "changes": len(made),
        "attempts": len(made),
        "wrong": sum(one.program.verdict != Verdict.accepted for one in made),
        "best_score": max(one.program.score for one in made),
        "first_at": made[0].at,
        "last_at": made[-1].at,
        "solved_at": None if solved is None else made[solved].at,
        "until_solved": None if solved is None else solved + 1,
    }


def write_help(
    db: Connection, chance: random.Random, user_ids: Sequence[int], sent: Iterable[Sent], hints: Mapping[str, int]
) -> None:
    """Hints that were opened and exercises that were given up, where several attempts in a row were wrong. `hints`: how
    many each exercise has."""
    wrong: dict[tuple[int, str], list[Sent]] = defaultdict(list)
    solved = set()
    for one in sent:
        key = (one.student, one.program.exercise)
        if one.program.verdict == Verdict.accepted:
            solved.add(key)
        else:
            wrong[key].append(one)
    rows = Rows()
    for (student, exercise), made in wrong.items():
        opened = min(hints.get(exercise, 0), len(made) // 2 if chance.random() < 0.7 else 0)
        for number in range(1, opened + 1):
            at = made[2 * number - 1].at + timedelta(seconds=chance.uniform(20, 200))
            rows.add(HintOpened, user_id=user_ids[student], exercise=exercise, number=number, opened_at=at)
        if len(made) >= 4 and (student, exercise) not in solved and chance.random() < 0.5:
            at = made[-1].at + timedelta(minutes=chance.uniform(1, 20))
            rows.add(GiveUp, user_id=user_ids[student], exercise=exercise, given_up_at=at)
    rows.write(db)


def write_sittings(
    db: Connection,
    chance: random.Random,
    students: Sequence[Student],
    user_ids: Sequence[int],
    lesson: Lesson,
    snapshot_id: int,
    window: Window,
    until: datetime,
    broken: BrokenKey | None = None,
) -> None:
    """Their attempts at a quiz, each with its answers, judged as the quiz judges them."""
    rows, number_of, bytes_of = Rows(), _next_id(db, Sitting), defaultdict[int, int](int)
    for student, user_id in zip(students, user_ids, strict=True):
        if chance.random() > 0.82 + 0.17 * student.ability:
            continue
        before: dict[str, list[int]] = defaultdict(list)
        times = chance.choices((1, 2, 3), (62, 28, 10))[0] if lesson.attempts is None else 1
        last = window.due_at - timedelta(hours=chance.expovariate(1 / (4 + 60 * student.early)))
        begins = [last - timedelta(hours=0.6 * left, minutes=18) for left in reversed(range(times))]
        begins = [at for at in begins if window.opens_at <= at <= until - timedelta(minutes=20)]
        for number, at in enumerate(begins, 1):
            ids = (user_id, number_of, snapshot_id)
            bytes_of[user_id] += _sit(rows, chance, student, ids, lesson, number, at, before, broken)
            number_of += 1
        if begins:
            read_at = begins[0] + timedelta(minutes=18)
            rows.add(
                LessonRead, user_id=user_id, course=lesson.course_slug, lesson=lesson.slug, read_at=read_at
            )  # fmt: skip
    rows.write(db)
    _store(db, bytes_of)
    _count_on(db, Sitting)


def _sit(
    rows: Rows,
    chance: random.Random,
    student: Student,
    ids: tuple[int, int, int],
    lesson: Lesson,
    number: int,
    at: datetime,
    before: dict[str, list[int]],
    broken: BrokenKey | None,
) -> int:
    """One attempt. `ids`: of the person, the sitting and the snapshot. Returns the bytes that are kept of it."""
    user_id, id, snapshot_id = ids
    seed = f"{user_id}:sitting:{id}"
    asked = drawn_questions(lesson, seed, before)
    score, kept, started = 0.0, RESPONSE_BYTES * len(asked), at
    responses: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for place, question in enumerate(asked, 1):
        variant, seconds = draw(question, seed), chance.lognormvariate(3.6, 0.6)
        before[question.slug].append(variant)
        at += timedelta(seconds=seconds)
        reply = None if is_graded_by_hand(question) else reply_to(chance, student, question, variant, broken)
        found = judged(question, variant, reply)
        score += (found.score if found else 0.0) * float(question.points)
        responses.append(
            {
                "sitting_id": id, "place": place, "slug": question.slug, "variant": variant, "given": reply,
                "flagged": chance.random() < 0.04, "revision": int(reply is not None), "seconds": seconds,
                "saved_at": at if reply is not None else None, "correct": bool(found and found.correct),
                "score": found.score if found else 0.0,
            }
        )  # fmt: skip
        if found is not None:
            kept += stored_bytes(reply)
            row = _answer(user_id, question, variant, reply, found, len(before[question.slug]), at)
            answers.append({**row, "occasion": Occasion.sitting, "seconds": seconds, "sitting_id": id})
    points = points_of(asked)
    rows.add(
        Sitting, id=id, user_id=user_id, course=lesson.course_slug, lesson=lesson.slug, snapshot_id=snapshot_id,
        number=number, time_limit_seconds=lesson.time_limit and lesson.time_limit * 60, started_at=started,
        deadline_at=None, submitted_at=at, questions=len(asked), points=points, score=min(score, points), waiting=0,
    )  # fmt: skip
    for one in responses:
        rows.add(SittingResponse, **one)
    for one in answers:
        rows.add(Answer, **{**one, "created_at": at})
    return kept


def write_reading(
    db: Connection,
    chance: random.Random,
    students: Sequence[Student],
    user_ids: Sequence[int],
    lessons: Sequence[Lesson],
    begun_at: datetime,
    until: datetime,
) -> None:
    """Lessons that were read, and what was answered in their text, one lesson after the other over the term."""
    rows, bytes_of = Rows(), defaultdict[int, int](int)
    for student, user_id in zip(students, user_ids, strict=True):
        pace = (until - begun_at) / len(lessons) * chance.uniform(0.55, 1.25)
        at = begun_at + timedelta(hours=chance.expovariate(1 / 30))
        for lesson in lessons:
            at += pace * chance.uniform(0.3, 1.0)
            if at > until or chance.random() > 0.75 + 0.24 * student.ability:
                break
            if lesson.is_quiz:
                continue  # read by anyone who submits it: `write_sittings`
            rows.add(LessonRead, user_id=user_id, course=lesson.course_slug, lesson=lesson.slug, read_at=at)
            for question in lesson.questions.values():
                bytes_of[user_id] += _answered(rows, chance, student, user_id, question, at)
    rows.write(db)
    _store(db, bytes_of)


def _answered(
    rows: Rows, chance: random.Random, student: Student, user_id: int, question: Question, at: datetime
) -> int:
    kept = 0
    for attempt in range(1, 4):
        variant = draw(question, f"{user_id}:{attempt}")
        reply = None if is_graded_by_hand(question) else reply_to(chance, student, question, variant)
        found = judged(question, variant, reply)
        if found is None:
            break
        row = _answer(user_id, question, variant, reply, found, attempt, at + timedelta(seconds=40 * attempt))
        seconds = chance.lognormvariate(3.3, 0.7)
        rows.add(Answer, **row, occasion=Occasion.lesson, seconds=seconds, sitting_id=None)
        kept += stored_bytes(reply)
        if found.correct or chance.random() < 0.3:
            break
    return kept


def _answer(
    user_id: int, question: Question, variant: int, reply: Any, found: Any, attempt: int, at: datetime
) -> dict[str, Any]:
    return {
        "user_id": user_id, "question": question.id, "question_hash": question.content_hash, "variant": variant,
        "attempt": attempt, "given": reply, "read_as": found.read_as and found.read_as[:500], "correct": found.correct,
        "score": found.score, "created_at": at,
    }  # fmt: skip


# ---- numbers --------------------------------------------------------------------------------------------------


def _table(model: type[Base]) -> Table:
    return cast(Table, model.__table__)


def _next_id(db: Connection, model: type[Base]) -> int:
    return (db.scalar(select(func.max(_table(model).c.id))) or 0) + 1


def _count_on(db: Connection, model: type[Base]) -> None:
    """Numbers go on after those that were given here."""
    if db.dialect.name == "postgresql":
        sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
        db.execute(sequence, {"name": _table(model).name, "last": _next_id(db, model) - 1})


def _store(db: Connection, bytes_of: Mapping[int, int]) -> None:
    """As if each had been charged with what they sent."""
    users = _table(User)
    by_size: dict[int, list[int]] = defaultdict(list)
    for user_id, size in bytes_of.items():
        by_size[size].append(user_id)
    for size, ids in by_size.items():
        db.execute(update(users).where(users.c.id.in_(ids)).values(stored_bytes=users.c.stored_bytes + size))

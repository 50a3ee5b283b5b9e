"""Letters of a class: what is due tomorrow, once a day; and that a score has changed because work was judged again."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.classes.assignments import Assignment, Extension, assignments_of, extensions_of, title_of
from app.classes.classes import Class, Enrolment
from app.classes.rights import ClassRole
from app.db import Database, now
from app.people.outbox import Kind, post, post_all, register_kind
from app.people.users import User
from app.practice.efforts import Effort
from app.quizzes.sittings import Sitting
from app.reading.catalog import Catalog

FROM_HOUR = 12  # of the day before, in the class's time zone: what is due then, is due in 12 to 36 hours
AHEAD = timedelta(hours=64)  # the end of tomorrow anywhere, as seen from anywhere
AT_ONCE = 400  # people in one statement
REGRADED = """\
Your work in the class “{title}” was judged again.

{sentence}

Your scores in this class are here:
"""


@dataclass(frozen=True)
class Due:
    """`day`: on which it is due in the class's time zone. Midnight belongs to the day that it ends."""

    class_: Class
    kind: str
    slug: str
    at: datetime

    @property
    def day(self) -> date:
        return (self.at.astimezone(self.class_.zone) - timedelta(microseconds=1)).date()

    def is_tomorrow(self, at: datetime) -> bool:
        """Whether it is time to say so."""
        local = at.astimezone(self.class_.zone)
        return local.hour >= FROM_HOUR and self.day == local.date() + timedelta(days=1)


def regraded(db: Session, class_: Class, user: User, sentence: str) -> None:
    """Tells a student what a regrading did to their score, in one sentence; the same sentence once a day."""
    if user.email is None:
        return
    digest = hashlib.sha256(sentence.encode()).hexdigest()[:16]
    dedupe = f"regraded/{class_.id}/{user.id}/{now().date().isoformat()}/{digest}"
    body = REGRADED.format(title=class_.title, sentence=sentence)
    subject, path = f"A score in {class_.title} has changed", f"/classes/{class_.id}"
    post(db, "regraded", user.email, subject, body, dedupe=dedupe, user_id=user.id, path=path)


def post_due(database: Database, catalog: Catalog, should_stop: Callable[[], bool] = lambda: False) -> int:
    """A letter to each student who has not solved what is due tomorrow. Returns how many were written now."""
    return remind(database, catalog, now(), should_stop)


def remind(database: Database, catalog: Catalog, at: datetime, should_stop: Callable[[], bool] = lambda: False) -> int:
    """As `post_due`, at this moment. One letter a person and day: what is due on that day in all their classes is in
    it, wherever it is noon first."""
    with database.reading() as db:
        due = _unsolved(db, at)
    due_tomorrow = {key: found for key, found in due.items() if any(one.is_tomorrow(at) for one in found)}
    count = 0
    keys = sorted(due_tomorrow)
    for start in range(0, len(keys), AT_ONCE):
        if should_stop():
            break
        some = keys[start : start + AT_ONCE]
        with database.writing() as db:
            able = User.id.in_([user_id for user_id, _ in some]), User.email.is_not(None), User.disabled_at.is_(None)
            emails = {one.id: one.email for one in db.execute(select(User.id, User.email).where(*able))}
            letters = [
                _letter(catalog, user_id, emails[user_id] or "", day, due_tomorrow[user_id, day])
                for user_id, day in some
                if user_id in emails
            ]
            count += post_all(db, letters)
    return count


def _letter(catalog: Catalog, user_id: int, email: str, day: date, due: Sequence[Due]) -> dict[str, Any]:
    found = sorted(due, key=lambda one: (one.at, one.class_.id, one.slug))
    lines = [_line(catalog, one) for one in found]
    titles = sorted({one.class_.title for one in found})
    subject = (
        f"Due tomorrow: {len(found)} assignments" if len(found) > 1 else f"Due tomorrow: {_title(catalog, found[0])}"
    )
    where = f"/classes/{found[0].class_.id}" if len(titles) == 1 else "/classes"
    body = f"On {day:%A}, {day.day} {day:%B}, this is due, and you have not solved it yet:\n\n" + "\n".join(lines)
    return {
        "kind": "due", "to": email, "subject": subject, "text": body, "path": where, "user_id": user_id, "about": "",
        "dedupe": f"due/{user_id}/{day.isoformat()}",
    }  # fmt: skip


def _title(catalog: Catalog, due: Due) -> str:
    return title_of(catalog, due.class_, due.kind, due.slug)


def _line(catalog: Catalog, due: Due) -> str:
    local = due.at.astimezone(due.class_.zone)
    clock = "24:00" if local.date() != due.day else f"{local:%H:%M}"
    return f"- {clock} ({due.class_.timezone}): {_title(catalog, due)}, in {due.class_.title}"


def _unsolved(db: Session, at: datetime) -> dict[tuple[int, date], list[Due]]:
    """What people have not solved that is due soon, by person and day."""
    until = at + AHEAD
    soon = select(Assignment.class_id).where(Assignment.due_at > at, Assignment.due_at <= until)
    later = select(Extension.class_id).where(Extension.due_at > at, Extension.due_at <= until)
    live = select(Class).where(Class.id.in_(soon.union(later)), Class.archived_at.is_(None))
    found: dict[tuple[int, date], list[Due]] = defaultdict(list)
    for class_ in db.scalars(live).all():
        students = select(Enrolment.user_id).where(Enrolment.class_id == class_.id)
        students = students.where(Enrolment.role == ClassRole.student).order_by(Enrolment.user_id)
        people = list(db.scalars(students))
        for start in range(0, len(people), AT_ONCE):
            for user_id, due in _of_class(db, class_, people[start : start + AT_ONCE], at, until):
                found[user_id, due.day].append(due)
    return found


def _of_class(
    db: Session, class_: Class, user_ids: Sequence[int], at: datetime, until: datetime
) -> Iterable[tuple[int, Due]]:
    shown = [row for row in assignments_of(db, class_) if not row.is_hidden_at(at)]
    extensions = extensions_of(db, class_, user_ids)
    solved = _solved(db, class_, user_ids, shown)
    for user_id in user_ids:
        theirs = extensions.get(user_id, {})
        for row in shown:
            terms = row.terms(class_.timezone, theirs.get(row.key))
            is_open = terms.opens_at is None or terms.opens_at <= until
            if terms.due_at is None or terms.excused or not is_open or (user_id, *row.key) in solved:
                continue
            if at < terms.due_at <= until:
                yield user_id, Due(class_, row.kind, row.slug, terms.due_at)


def _solved(
    db: Session, class_: Class, user_ids: Sequence[int], rows: Sequence[Assignment]
) -> set[tuple[int, str, str]]:
    """Exercises that were accepted, and quizzes that were submitted."""
    slugs = {kind: [row.slug for row in rows if row.kind == kind] for kind in ("exercise", "quiz")}
    accepted = select(Effort.user_id, Effort.exercise).where(
        Effort.user_id.in_(user_ids), Effort.exercise.in_(slugs["exercise"]), Effort.solved_at.is_not(None)
    )
    submitted = select(Sitting.user_id, Sitting.lesson).where(
        Sitting.user_id.in_(user_ids), Sitting.course == class_.course, Sitting.lesson.in_(slugs["quiz"]),
        Sitting.submitted_at.is_not(None),
    )  # fmt: skip
    found = {(user_id, "exercise", slug) for user_id, slug in db.execute(accepted)} if slugs["exercise"] else set()
    if slugs["quiz"]:
        found |= {(user_id, "quiz", slug) for user_id, slug in db.execute(submitted)}
    return found


register_kind(Kind("due", "What is due tomorrow and you have not solved yet: one letter a day at most"))
register_kind(Kind("regraded", "That a score of yours has changed, because work was judged again"))

"""Where someone who comes back can go on: the lesson, the exercise, the open quizzes and the review that wait for them.

`left_off` says which one thing they were at last; this lists one of each kind, for their home page.
"""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.people.users import User
from app.progress.left_off import LeftOff, last_exercise, last_lesson, latest, open_sittings
from app.progress.progress import Progress
from app.quizzes.questions import reviewed_by
from app.quizzes.reviews import today_of
from app.reading.catalog import Catalog

MAX_SITTINGS = 3


@dataclass(frozen=True)
class Waiting:
    """One thing to go on with: `kind` in a word ("Lesson"), and after its title why it is here."""

    kind: str
    url: str
    title: str
    why: str


@dataclass(frozen=True)
class GoingOn:
    """`last`: the one thing they were at last. `waiting`: everything there is, one line each."""

    last: LeftOff | None
    waiting: tuple[Waiting, ...]


def going_on(db: Session, catalog: Catalog, user: User | None, progress: Progress) -> GoingOn | None:
    """None for someone who has done nothing yet."""
    if user is None:
        return None
    sittings = list(open_sittings(db, catalog, user))
    lesson = last_lesson(db, catalog, user, progress)
    exercise = last_exercise(db, catalog, user, progress)
    last = latest((*sittings, lesson, exercise))
    found = [*(("Quiz", one) for one in sittings[:MAX_SITTINGS]), ("Lesson", lesson), ("Exercise", exercise)]
    waiting = [Waiting(kind, one.url, one.title, one.why) for kind, one in found if one is not None]
    if due := len(today_of(db, user, reviewed_by(db, user, catalog)).cards):
        waiting.append(Waiting("Review", "/review", f"{due} question{'' if due == 1 else 's'} to review today", ""))
    has_begun = progress.lessons_read or progress.questions_right or progress.exercises_solved
    return GoingOn(last, tuple(waiting)) if waiting or has_begun else None

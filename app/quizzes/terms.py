"""What a person's classes ask of their attempts at a quiz: how many, from when until when, with which code, and from
when its answers are told. Other rooms register what they know here, since this one imports none of them.

Anyone who is in no class that assigns the quiz has the quiz's own terms alone. Of several classes the most generous
counts for attempts and dates, and the strictest for telling answers; whether an attempt counts, each says for itself.
Once it has closed everywhere, it is practice: the quiz's own terms hold again.
"""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from app.db import now
from app.people.users import User
from graders.text import storable

Quiz = tuple[str, str]  # course and lesson
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class SittingTerms:
    """What one class asks of one student. `class_id`: the class's number. `attempts`: None for the quiz's own;
    `at_least`: that many for this student, whatever all have. `answers_from`: when answers are told; None for as soon
    as an attempt is submitted, NEVER where that is not said yet."""

    quiz: Quiz
    class_id: int
    attempts: int | None = None
    at_least: int | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    access_code: str | None = None
    answers_from: datetime | None = None

    def is_open_at(self, at: datetime) -> bool:
        return (self.opens_at is None or at >= self.opens_at) and not self.is_closed_at(at)

    def is_closed_at(self, at: datetime) -> bool:
        return self.closes_at is not None and at > self.closes_at

    def takes(self, code: str) -> bool:
        """Whether an attempt may begin with this code: any code, where the class asks for none.

        attack: measure how long a wrong code takes, letter by letter. defence: each is compared whole.
        """
        if self.access_code is None:
            return True
        return hmac.compare_digest(storable(code).strip().encode(), self.access_code.strip().encode())

    def allowed(self, own: int | None) -> int | None:
        """How many attempts; `own`: the quiz's own. None: as many as they like."""
        stated = self.attempts if self.attempts is not None else own
        return None if stated is None else max(stated, self.at_least or 0)


@dataclass(frozen=True)
class Withheld:
    """The answers of a submitted attempt are told later: `until` then; None: their class has not said when."""

    until: datetime | None


@dataclass(frozen=True)
class QuizTerms:
    """What all classes of one person ask of their attempts at one quiz; `of` is empty where none does."""

    of: tuple[SittingTerms, ...] = ()

    def open_at(self, at: datetime) -> tuple[SittingTerms, ...]:
        """Of the classes in which an attempt counts that begins at this moment."""
        return tuple(one for one in self.of if one.is_open_at(at))

    def opens_at(self, at: datetime) -> datetime | None:
        """When it may be begun, where that is still to come."""
        if not self.of or self.open_at(at):
            return None
        return min((one.opens_at for one in self.of if one.opens_at and one.opens_at > at), default=None)

    def closes_at(self, at: datetime) -> datetime | None:
        """Until when an attempt that begins at this moment must be submitted to count; None: no such moment."""
        ends = [one.closes_at for one in self.open_at(at)]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def codes(self, at: datetime) -> tuple[str, ...]:
        """One of these must be known to begin; empty: none need be."""
        return tuple(one.access_code for one in self.open_at(at) if one.access_code is not None)

    def knows_code(self, code: str, at: datetime) -> bool:
        """Whether this is the code of a class that asks for one."""
        return any(one.access_code is not None and one.takes(code) for one in self.open_at(at))

    def met(self, code: str, at: datetime) -> tuple[int, ...]:
        """The classes in which an attempt counts that begins at this moment with this code.

        attack: a class of one's friends assigns the same quiz with another code, or with none, and the exam's is not
        needed. defence: an attempt counts where that class's own code was known.
        """
        return tuple(one.class_id for one in self.open_at(at) if one.takes(code))

    @property
    def answers_from(self) -> datetime | None:
        """When all of these classes let answers be told; None: as soon as an attempt is submitted."""
        return max((one.answers_from for one in self.of if one.answers_from is not None), default=None)

    def tells_at(self, at: datetime) -> bool:
        """Whether the answers of a submitted attempt are told at this moment."""
        return self.answers_from is None or at >= self.answers_from

    def withheld_at(self, at: datetime) -> Withheld | None:
        if self.tells_at(at):
            return None
        return Withheld(None if self.answers_from == NEVER else self.answers_from)

    def is_counted_at(self, at: datetime) -> bool:
        """Whether its questions are had in an attempt alone, as `Lesson.is_counted` says of the quiz's own terms.

        attack: a quiz that its course leaves open counts in a class; ask the API for each question's answer first.
        defence: for a student of that class it is closed until it is practice again.
        """
        limited = (
            one.attempts is not None or one.access_code is not None or (one.opens_at is not None and at < one.opens_at)
            for one in self.of
            if not one.is_closed_at(at)
        )
        return not self.tells_at(at) or any(limited)


NONE = QuizTerms()
# (db, the person's id, the quiz or None for all): what each of their classes asks.
Source = Callable[[Session, int, Quiz | None], Iterable[SittingTerms]]
_registered: list[Source] = []


def ask_for_terms(source: Source) -> None:
    """From now on this is asked as well."""
    _registered.append(source)


def terms_of(db: Session, user: User | None, course: str, lesson: str) -> QuizTerms:
    """Of one quiz."""
    if user is None:
        return NONE
    return QuizTerms(_asked(db, user.id, (course, lesson)))


def all_terms_of(db: Session, user_id: int | None) -> Mapping[Quiz, QuizTerms]:
    """Of every quiz that some class of theirs assigns."""
    found: dict[Quiz, list[SittingTerms]] = {}
    for one in _asked(db, user_id, None) if user_id is not None else ():
        found.setdefault(one.quiz, []).append(one)
    return {quiz: QuizTerms(tuple(terms)) for quiz, terms in found.items()}


def withheld_from(db: Session, user_id: int, course: str, lesson: str) -> Withheld | None:
    """Whether this person is told the answers of what they submitted of this quiz by now: None, they are."""
    return QuizTerms(_asked(db, user_id, (course, lesson))).withheld_at(now())


def quiz_of_question(id: str) -> Quiz:
    """The lesson that a question is in, `course.lesson.slug`."""
    course, _, rest = id.partition(".")
    return course, rest.partition(".")[0]


def untold_to(db: Session, user_id: int | None, at: datetime) -> frozenset[Quiz]:
    """The quizzes whose answers this person is not told at this moment, however often they have submitted them.

    attack: have what the review of an attempt holds back from somewhere else: the daily review, one's progress, a
    discussion, the download of one's data. defence: whatever tells of a quiz's answers asks here.
    """
    return frozenset(quiz for quiz, terms in all_terms_of(db, user_id).items() if not terms.tells_at(at))


def _asked(db: Session, user_id: int, quiz: Quiz | None) -> tuple[SittingTerms, ...]:
    found: Sequence[SittingTerms] = [one for source in _registered for one in source(db, user_id, quiz)]
    return tuple(found)

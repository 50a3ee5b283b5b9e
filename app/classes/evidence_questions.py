"""Evidence of questions: an item analysis of a class's first answers, and which questions may be broken.

The first answer of each person to a question as it is now counts: what they answer later they have been told about.
Answers that a person grades say nothing of a key, and are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from sqlalchemy import ColumnElement, Subquery, and_, func, select
from sqlalchemy.orm import Session

from app.classes.evidence_kept import kept
from app.classes.evidence_scope import Scope
from app.content.lesson import Lesson
from app.content.questions.asking import is_graded_by_hand
from app.content.questions.question import Question
from app.quizzes.answers import Answer
from app.teaching.answers import groups_of, words_of

ENOUGH_PEOPLE = 10  # for a discrimination that says something
LEAST_ALIKE = 5  # people with one and the same wrong answer
BANDS = 3
SPELLINGS = 3


@dataclass(frozen=True)
class QuestionFigures:
    """In people. `difficulty`: the share whose first answer is right. `discrimination`: see `correlation`; of
    `compared` people, who answered another question of the lesson too. `flags`: why it may be broken, a sentence each.
    """

    question: str
    lesson: str
    students: int
    people: int
    right: int
    difficulty: float | None
    discrimination: float | None
    compared: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswerHit:
    """First answers that are one and the same. `answer`: as typed, or the words of what was picked; `formula`: what
    gives it in every variant, if something does. `best`: how many of them are in the upper half by the rest score."""

    answer: str
    formula: str
    gap: str
    is_right: bool
    told: str
    people: int
    best: int
    who: tuple[int, ...]


@dataclass(frozen=True)
class Band:
    """A third of the people by rest score, the lowest first."""

    people: int
    right: int


@dataclass(frozen=True)
class QuestionEvidence:
    figures: QuestionFigures
    answers: tuple[AnswerHit, ...]
    bands: tuple[Band, ...]
    later_right: int  # whose first answer was wrong, and a later one right


@dataclass(frozen=True)
class _Compared:
    """Someone's first answer, and what they earned in the lesson's other questions."""

    user_id: int
    score: float
    rest: float


def question_figures(
    db: Session, scope: Scope, lessons: Sequence[Lesson], stamp: Hashable | None = None
) -> list[QuestionFigures]:
    """Of each question that we judge, of one lesson or of the whole course, in reading order, with its flags. `stamp`:
    of their answers, where the caller has it."""
    key = ("figures", scope.class_.id, tuple(lesson.slug for lesson in lessons))
    stamp = stamp or answers_stamp(db, scope, lessons)
    return kept(db, key, stamp, lambda: list(_question_figures(db, scope, lessons)))


def _question_figures(db: Session, scope: Scope, lessons: Sequence[Lesson]) -> Iterator[QuestionFigures]:
    asked = {one.id: one for lesson in lessons for one in lesson.questions.values() if not is_graded_by_hand(one)}
    firsts = _first_answers(db, scope, lessons, asked)
    for lesson in lessons:
        own = [one for one in lesson.questions.values() if one.id in asked]
        compared = _compared({one.id: firsts[one.id] for one in own})
        for question in own:
            theirs = firsts[question.id]
            figures = _figures(scope, lesson, question.id, theirs, compared[question.id])
            if _may_have_a_broken_key(theirs, compared[question.id]):
                wrong = [row for row in _given(db, scope, question) if not row.correct]
                broken = _broken_key(question, wrong, compared[question.id])
                figures = replace(figures, flags=(*figures.flags, *broken))
            yield figures


def question_evidence(db: Session, scope: Scope, id: str) -> QuestionEvidence:
    """Raises NotFound."""
    lesson, question = scope.question(id)
    key = ("question", scope.class_.id, id)
    stamp = answers_stamp(db, scope, [lesson])
    return kept(db, key, stamp, lambda: _question_evidence(db, scope, lesson, question))


def _question_evidence(db: Session, scope: Scope, lesson: Lesson, question: Question) -> QuestionEvidence:
    by_hand = is_graded_by_hand(question)
    asked = {one.id: one for one in lesson.questions.values() if one is question or not is_graded_by_hand(one)}
    firsts = _first_answers(db, scope, [lesson], asked)
    theirs = firsts[question.id]
    compared = [] if by_hand else _compared(firsts)[question.id]
    figures = _figures(scope, lesson, question.id, theirs, compared)
    if by_hand:
        return QuestionEvidence(replace(figures, difficulty=None, discrimination=None, flags=()), (), (), 0)
    rows = _given(db, scope, question)
    wrong = [row for row in rows if not row.correct]
    return QuestionEvidence(
        replace(figures, flags=(*figures.flags, *_broken_key(question, wrong, compared))),
        tuple(_answers(question, rows, _upper_half(compared))),
        _bands(compared, theirs),
        _right_later(db, scope, question, {row.user_id for row in wrong}),
    )


# ---- figures --------------------------------------------------------------------------------------------------


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The product-moment correlation of item and rest score: r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² Σ(y−ȳ)²).

    For an item that is right or wrong it is the point-biserial r = (M₁−M₀)/s · √(n₁n₀)/n: M₁ and M₀ the mean rest
    scores of those who are right and wrong, s the standard deviation of all. The rest score is the mean of what a
    person earned by their first answers to the *other* questions of the lesson, so that the item does not correlate
    with itself: the corrected item-total correlation (S. Henrysson, "Correction of item-total correlations in item
    analysis", Psychometrika 28, 1963, 211–218). None where one of them does not vary.
    """
    count = len(pairs)
    if count < 2:
        return None
    mean_x = sum(x for x, _ in pairs) / count
    mean_y = sum(y for _, y in pairs) / count
    xx = sum((x - mean_x) ** 2 for x, _ in pairs)
    yy = sum((y - mean_y) ** 2 for _, y in pairs)
    if xx < TINY or yy < TINY:
        return None
    xy = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    return xy / sqrt(xx * yy)


TINY = 1e-12


def _figures(
    scope: Scope, lesson: Lesson, id: str, firsts: Mapping[int, tuple[float, bool]], compared: Sequence[_Compared]
) -> QuestionFigures:
    right = sum(correct for _, correct in firsts.values())
    r = correlation([(one.score, one.rest) for one in compared])
    flags: tuple[str, ...] = ()
    if r is not None and r < 0 and len(compared) >= ENOUGH_PEOPLE:
        flags = (
            f"Those who do well in the rest of the lesson do worse here (discrimination {_signed(r)}, "
            f"{len(compared)} people): the question or its key may be wrong.",
        )
    difficulty = right / len(firsts) if firsts else None
    students = scope.students
    return QuestionFigures(id, lesson.slug, students, len(firsts), right, difficulty, r, len(compared), flags)


def _signed(r: float) -> str:
    return f"{r:.2f}".replace("-", "−")


def _compared(firsts: Mapping[str, Mapping[int, tuple[float, bool]]]) -> dict[str, list[_Compared]]:
    """By question of one lesson: those who answered another of its questions too, with their rest scores."""
    totals: dict[int, float] = defaultdict(float)
    counts: Counter[int] = Counter()
    for theirs in firsts.values():
        for user_id, (score, _) in theirs.items():
            totals[user_id] += score
            counts[user_id] += 1
    return {
        id: [
            _Compared(user_id, score, (totals[user_id] - score) / (counts[user_id] - 1))
            for user_id, (score, _) in theirs.items()
            if counts[user_id] > 1
        ]
        for id, theirs in firsts.items()
    }


def _upper_half(compared: Sequence[_Compared]) -> frozenset[int]:
    """Whose rest score is the median or above."""
    if not compared:
        return frozenset()
    rests = sorted((one.rest for one in compared), reverse=True)
    least = rests[(len(rests) - 1) // 2]
    return frozenset(one.user_id for one in compared if one.rest >= least - TINY)


def _may_have_a_broken_key(firsts: Mapping[int, tuple[float, bool]], compared: Sequence[_Compared]) -> bool:
    """Whether so many of the upper half are wrong that they may all have given one answer."""
    best = _upper_half(compared)
    return _are_many(sum(not firsts[user_id][1] for user_id in best), len(best))


def _are_many(alike: int, best: int) -> bool:
    return alike >= LEAST_ALIKE and 3 * alike >= best


def _broken_key(question: Question, wrong: Iterable[Any], compared: Sequence[_Compared]) -> list[str]:
    """`wrong`: first answers that are (user_id, variant, given)."""
    best = _upper_half(compared)
    groups = groups_of(question, (row for row in wrong if row.user_id in best))
    groups = [group for group in groups if _are_many(group.people, len(best))]
    return [
        f"{group.people} of the {len(best)} who do best in the rest of the lesson answer "
        f"`{group.expression if group.is_formula else group.examples[0].answer}`"
        f"{f' in {group.gap}' if group.gap else ''}, which the key calls wrong: check the key."
        for group in groups
    ]


def _bands(compared: Sequence[_Compared], firsts: Mapping[int, tuple[float, bool]]) -> tuple[Band, ...]:
    """Thirds as equal as they come; people of one rest score are kept in the order of their numbers."""
    if len(compared) < BANDS:
        return ()
    ordered = sorted(compared, key=lambda one: (one.rest, one.user_id))
    ends = [round(len(ordered) * place / BANDS) for place in range(BANDS + 1)]
    parts = [ordered[ends[place] : ends[place + 1]] for place in range(BANDS)]
    return tuple(Band(len(part), sum(firsts[one.user_id][1] for one in part)) for part in parts)


# ---- answers --------------------------------------------------------------------------------------------------


def _answers(question: Question, rows: Sequence[Any], best: frozenset[int]) -> list[AnswerHit]:
    """By frequency: of the wrong ones those of one cause are one, of the right ones those that read the same."""
    hits = [
        AnswerHit(
            group.examples[0].answer, group.expression if group.is_formula else "", group.gap, False, group.told,
            group.people, len(group.who & best), tuple(sorted(group.who)),
        )
        for group in groups_of(question, [row for row in rows if not row.correct])
    ]  # fmt: skip
    right: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        if row.correct:
            words = words_of(question, row.given)
            right["" if question.given else row.read_as or words].append((words, row.user_id))
    for spelled in right.values():
        who = {user_id for _, user_id in spelled}
        common = [words for words, _ in Counter(words for words, _ in spelled).most_common(SPELLINGS)]
        hits.append(AnswerHit(", ".join(common), "", "", True, "", len(who), len(who & best), tuple(sorted(who))))
    return sorted(hits, key=lambda hit: (-hit.people, not hit.is_right, hit.answer))


# ---- rows -----------------------------------------------------------------------------------------------------

# A statement names a lesson or a course, not fifty questions: PostgreSQL compares each row with each of those.


def answers_to(scope: Scope, lessons: Sequence[Lesson]) -> ColumnElement[bool]:
    """Answers of the class's students to the questions of one lesson, or of the whole course."""
    place = f"{scope.class_.course}." + (f"{lessons[0].slug}." if len(lessons) == 1 else "")
    return and_(scope.has(Answer.user_id), Answer.question.startswith(place, autoescape=True))


def answers_stamp(db: Session, scope: Scope, lessons: Sequence[Lesson]) -> Hashable:
    """Another one after each answer that a student gives to these questions, and each question that is edited."""
    asked = tuple((one.id, one.content_hash) for lesson in lessons for one in lesson.questions.values())
    counted = select(func.count(), func.max(Answer.created_at), func.sum(Answer.score))
    return scope.whose, asked, tuple(db.execute(counted.where(answers_to(scope, lessons))).one())


def _ranked(condition: ColumnElement[bool], *columns: Any) -> Subquery:
    """Answers, numbered for each person and state of a question in the order they came."""
    order = (Answer.created_at, Answer.correct)  # both in the index, as all that is asked of most rows
    whose = (Answer.user_id, Answer.question, Answer.question_hash)
    place = func.row_number().over(partition_by=whose, order_by=order)
    return select(*whose, *columns, place.label("place")).where(condition).subquery()


def _first_answers(
    db: Session, scope: Scope, lessons: Sequence[Lesson], asked: Mapping[str, Question]
) -> dict[str, dict[int, tuple[float, bool]]]:
    """To these questions as they are now, by question and person: score, and whether it is right."""
    found: dict[str, dict[int, tuple[float, bool]]] = {id: {} for id in asked}
    hashes = {id: one.content_hash for id, one in asked.items()}
    numbered = _ranked(answers_to(scope, lessons), Answer.score, Answer.correct)
    each = (numbered.c.user_id, numbered.c.question, numbered.c.question_hash, numbered.c.score, numbered.c.correct)
    for user_id, question, content_hash, score, correct in db.execute(select(*each).where(numbered.c.place == 1)):
        if hashes.get(question) == content_hash:
            found[question][user_id] = score, correct
    return found


def _given(db: Session, scope: Scope, question: Question) -> Sequence[Any]:
    """First answers as rows (user_id, variant, given, read_as, correct)."""
    same = and_(Answer.question == question.id, Answer.question_hash == question.content_hash)
    numbered = _ranked(and_(scope.has(Answer.user_id), same), Answer.id)
    columns = (Answer.user_id, Answer.variant, Answer.given, Answer.read_as, Answer.correct)
    firsts = select(*columns).join(numbered, numbered.c.id == Answer.id).where(numbered.c.place == 1)
    return db.execute(firsts.order_by(Answer.id)).all()


def _right_later(db: Session, scope: Scope, question: Question, missed: set[int]) -> int:
    later = select(Answer.user_id).where(
        scope.has(Answer.user_id), Answer.question == question.id, Answer.question_hash == question.content_hash,
        Answer.correct,
    )  # fmt: skip
    return len(missed & set(db.scalars(later.distinct())))

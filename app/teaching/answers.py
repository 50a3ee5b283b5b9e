"""Wrong answers to questions by frequency, and something said to one: a `:mistake:` line in the lesson's file.

A question asks each person in other numbers, so what is typed is grouped by how it came about: an answer that a formula
gives in every variant (a sum for a product, a factor that is missing) is one group, whatever the numbers are.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import distinct, func, select, text
from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.expression import UnreadableAnswer
from app.content.lesson import Lesson
from app.content.questions.asking import outcome_of
from app.content.questions.question import Mistake, Question, UnknownVariant, values_of
from app.content.questions.slips import slips
from app.content.questions.table import kind_of
from app.people.users import User
from app.quizzes.answers import Answer
from app.teaching.reports import file_of
from app.teaching.revisions import Revision, files_of, newest, save
from app.teaching.subjects import Subject
from app.web.errors import Conflict, Invalid, NotFound
from graders.text import storable

LOOKED_AT = 2000  # wrong answers to a question, the newest
LOOKED_INTO = 200  # of those that differ: the most frequent are judged again, to find out how they came about
SHOWN = 40
EXAMPLES = 3
MAX_ANSWER = 300
MAX_SENTENCE = 2000
# In the words of the partial index
IS_WRONG = text("answer.correct = false")


@dataclass(frozen=True)
class QuestionCounts:
    """How often a question was answered wrong, as it is now, and by how many people."""

    lesson: Lesson
    question: Question
    answers: int
    people: int


@dataclass(frozen=True)
class Typed:
    """`values`: those given in its variant, as `max_len = 128, d_model = 64`; empty where there are none."""

    answer: str
    values: str


@dataclass(frozen=True)
class AnswerGroup:
    """Wrong answers that came about in one way. `expression`: what `:mistake:` would say of it; "" where that must be
    said at an option, or cannot be in one line. `is_formula`: it holds in every variant. `told`: what students are told
    now; `is_named`: by the author. `who`: whose answers, for those alone who may know them by name."""

    expression: str
    is_formula: bool
    examples: tuple[Typed, ...]
    answers: int
    people: int
    told: str
    is_named: bool
    gap: str = ""
    who: frozenset[int] = frozenset()


@dataclass(frozen=True)
class QuestionOutcomes:
    """`groups`: the most frequent first. `takes_mistakes`: a `:mistake:` line can be written for it."""

    looked_at: int
    is_all: bool
    people: int
    groups: tuple[AnswerGroup, ...]
    others: int
    takes_mistakes: bool


def counts_of(db: Session, course: Course) -> list[QuestionCounts]:
    """The course's questions that somebody has answered wrong, most people first."""
    asked = {question.id: (lesson, question) for lesson in course.lessons for question in lesson.questions.values()}
    counted = (
        select(Answer.question, Answer.question_hash, func.count(), func.count(distinct(Answer.user_id)))
        .where(Answer.question.in_(sorted(asked)), IS_WRONG)
        .group_by(Answer.question, Answer.question_hash)
    )
    found = [
        QuestionCounts(*asked[id], answers, people)
        for id, content_hash, answers, people in (db.execute(counted) if asked else ())
        if asked[id][1].content_hash == content_hash
    ]
    return sorted(found, key=lambda one: (-one.people, -one.answers, one.question.id))


def outcomes_of(db: Session, question: Question) -> QuestionOutcomes:
    """For those whom `require_author` let in."""
    columns = (Answer.user_id, Answer.variant, Answer.given)
    wrong = select(*columns).where(Answer.question == question.id, Answer.question_hash == question.content_hash)
    rows = db.execute(wrong.where(IS_WRONG).order_by(Answer.id.desc()).limit(LOOKED_AT)).all()
    groups = groups_of(question, rows)
    return QuestionOutcomes(
        len(rows),
        len(rows) < LOOKED_AT,
        len({row.user_id for row in rows}),
        tuple(groups[:SHOWN]),
        max(0, len(groups) - SHOWN),
        takes_mistakes(question) or any(map(takes_mistakes, question.gaps)),
    )


def takes_mistakes(question: Question) -> bool:
    """Whether its answer is typed, and judged by us."""
    kind = kind_of(question)
    return kind.WIDGET.takes == "text" and not question.choices and not kind.WRITTEN.is_graded_by_hand


def groups_of(question: Question, rows: Iterable[Any]) -> list[AnswerGroup]:
    """Wrong answers (user_id, variant, given) by how they came about, those of most people first."""
    rows = list(rows)
    groups = [group for part in (*question.gaps, question) for group in _groups(question, part, rows)]
    return sorted(groups, key=lambda group: (-group.people, -group.answers, group.expression))


def words_of(question: Question, given: object) -> str:
    """An answer as it was typed, or the words of what was picked."""
    if not question.gaps:
        return _answer_in(question, question, given)
    return " | ".join(_answer_in(question, gap, given) for gap in question.gaps)


# ---- groups ---------------------------------------------------------------------------------------------------


@dataclass
class _Gathered:
    cause: "_Cause"
    examples: dict[Typed, None] = field(default_factory=dict)
    answers: int = 0
    people: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Cause:
    """How a wrong answer came about: what groups it with others."""

    key: tuple[str, ...]
    expression: str = ""
    is_formula: bool = False
    told: str = ""
    is_named: bool = False


def _groups(question: Question, part: Question, rows: Iterable[Any]) -> Iterator[AnswerGroup]:
    """`part`: the question itself, or one of its gaps, whose answer is one of several in each row."""
    if question.gaps and part is question:
        return
    times: dict[tuple[int, str], list[int]] = defaultdict(list)  # by given values and answer: whose
    for row in rows:
        answer = _answer_in(question, part, row.given)
        if answer:
            times[row.variant % part.draws, answer].append(row.user_id)
    gathered: dict[tuple[str, ...], _Gathered] = {}
    frequent = sorted(times.items(), key=lambda item: -len(item[1]))
    for place, ((draw, answer), people) in enumerate(frequent):
        cause = _cause(part, draw, answer, place < LOOKED_INTO)
        if cause is None:
            continue  # of a gap that is right, or of a variant that is no longer there
        group = gathered.setdefault(cause.key, _Gathered(cause))
        group.examples[Typed(answer, _values_text(part, draw))] = None
        group.answers += len(people)
        group.people.update(people)
    for group in gathered.values():
        cause = group.cause
        yield AnswerGroup(
            cause.expression,
            cause.is_formula,
            tuple(group.examples)[:EXAMPLES],
            group.answers,
            len(group.people),
            cause.told,
            cause.is_named,
            part.slug if part is not question else "",
            frozenset(group.people),
        )


def _answer_in(question: Question, part: Question, given: object) -> str:
    """What was typed, or the words of what was picked."""
    if part is not question:
        place = question.gaps.index(part)
        given = given[place] if isinstance(given, list) and place < len(given) else ""
    if not part.choices:
        return str(given) if isinstance(given, str) else ""
    words = {choice.key: choice.text for choice in part.choices}
    partners = {pair.key: pair.text for pair in part.pairs}
    if isinstance(given, dict):
        return "; ".join(f"{partners.get(key, '?')} => {words.get(value, '?')}" for key, value in given.items())
    keys = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return " | ".join(words.get(key, "?") for key in keys)


def _cause(part: Question, draw: int, answer: str, is_looked_into: bool) -> _Cause | None:
    if part.choices:
        picked = next((choice for choice in part.choices if choice.text == answer), None)
        if picked is not None and picked.right and sum(choice.right for choice in part.choices) == 1:
            return None
        told = picked.feedback or "" if picked is not None else ""
        return _Cause(("picked", answer), told=told, is_named=bool(told))
    if kind_of(part).WRITTEN.is_graded_by_hand:
        return None
    return _looked_into(part, draw, answer) if is_looked_into else _as_typed(part, draw, answer)


@lru_cache(maxsize=8192)
def _looked_into(part: Question, draw: int, answer: str) -> _Cause | None:
    """By judging it again, with everything that it may have come from as a mistake of its own."""
    supposed = (*(mistake.expression for mistake in part.mistakes), *_formulas(part))
    probe = replace(
        part,
        mistakes=tuple(Mistake(expression, f"{_MARK}{place}", 0) for place, expression in enumerate(supposed)),
        right=None,
        other=None,
    )
    try:
        outcome = outcome_of(probe, draw, answer)
    except (UnreadableAnswer, UnknownVariant):
        return None
    if outcome.score >= 1:
        return None
    found = (outcome.feedback or "").removeprefix(_MARK)
    if outcome.feedback and outcome.feedback.startswith(_MARK) and found.isdecimal():
        place = int(found)
        if place < len(part.mistakes):
            known = part.mistakes[place]
            return _Cause(("known", known.expression), known.expression, bool(part.given), known.text, True)
        told = outcome_of(part, draw, answer).feedback or ""
        return _Cause(("formula", supposed[place]), supposed[place], True, told)
    return replace(_as_typed(part, draw, answer), told=outcome.feedback or "")


_MARK = "lectern supposes "


def _formulas(part: Question) -> list[str]:
    """Ways to go wrong that give another number in each variant. Where there is one variant, the number says it all."""
    if not part.given or not kind_of(part).WRITTEN.is_number:
        return []
    whole = f"({part.answer})"
    return [
        *(slip.formula for slip in slips(part.answer)),
        *(f"{whole} * 2", f"{whole} / 2", f"{whole} + 1", f"{whole} - 1", f"{whole} * 10", f"{whole} / 10"),
    ]


def _as_typed(part: Question, draw: int, answer: str) -> _Cause:
    """Grouped with what is read as the same, in the same numbers."""
    values = values_of(part, draw)
    try:
        read = str(kind_of(part).read(part, values, answer).value)
    except UnreadableAnswer:
        read = answer.strip().casefold()
    is_written = "\n" not in answer and "->" not in answer and "{{" not in answer
    expression = " ".join(answer.split()) if is_written and takes_mistakes(part) else ""
    return _Cause(("typed", read, *values.values()), expression)


def _values_text(part: Question, draw: int) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values_of(part, draw).items())


# ---- something said to one ------------------------------------------------------------------------------------


def part_of(question: Question, gap: str) -> Question:
    """The question, or its gap of this name. Raises NotFound."""
    if not gap:
        return question
    found = next((one for one in question.gaps if one.slug == gap), None)
    if found is None:
        raise NotFound("There is no such gap.", "Reload the page.")
    return found


def save_remark(
    db: Session, person: User, subject: Subject, question: Question, gap: str, expression: str, sentence: str
) -> Revision:
    """A new revision, in which the question says this to that answer. The caller has asked whether the person may.

    It adds a line to the newest revision, whichever that is, and so undoes nobody's work.
    Raises Invalid, Conflict, NotFound, TooLarge.
    """
    part = part_of(question, gap)
    expression, sentence = storable(" ".join(expression.split())), storable(" ".join(sentence.split()))
    _require_line(part, expression, sentence)
    latest = newest(db, subject)
    path = file_of(question)
    lesson = files_of(db, latest.id).get(path)
    if lesson is None:
        raise _moved(question)
    line = f":mistake: {expression} -> {sentence}"
    changed = with_line(lesson.decode("utf-8-sig", "replace"), question.slug, gap, line)
    if changed is None:
        raise _moved(question)
    message = f"Say something to a wrong answer to {question.slug}"
    return save(db, person, subject, latest.content_hash, {path: changed.encode()}, message)


def _moved(question: Question) -> Conflict:
    return Conflict(
        f"The newest revision has no question `{question.slug}` in {file_of(question)} any more.",
        "Write the line yourself, where the question is now.",
    )


def _require_line(part: Question, expression: str, sentence: str) -> None:
    if not takes_mistakes(part):
        raise Invalid("Options have their sentence beside them.", "Write it after ` -- ` in the option's line.")
    if not expression or "->" in expression:
        raise Invalid("answer: write the wrong answer, without an arrow.", "For example: max_len + d_model")
    if not sentence:
        raise Invalid("sentence: write what students who answer this should read.", "One or two sentences are enough.")
    if len(expression) > MAX_ANSWER or len(sentence) > MAX_SENTENCE:
        raise Invalid("This is too long.", f"At most {MAX_ANSWER} and {MAX_SENTENCE:,} characters are allowed.")
    if any(mistake.expression == expression for mistake in part.mistakes):
        raise Conflict(f"`{expression}` has a sentence already.", "Change it in the lesson's file.")
    supposed = replace(part, mistakes=(*part.mistakes, Mistake(expression, sentence, NEW_LINE)))
    for fault in kind_of(part).faults(supposed):
        if fault.line == NEW_LINE and fault.severity == "error":
            raise Invalid(f"answer: {fault.message}", fault.hint)


NEW_LINE = -1  # of the mistake that is being written


def with_line(lesson: str, slug: str, gap: str, line: str) -> str | None:
    """The lesson with one more setting in this question, or in a gap of it: below its mistakes, or else below its
    answer. None where the question is not found."""
    lines = lesson.splitlines(keepends=True)
    at = _opening(lines, 0, "question", slug)
    if at is not None and gap:
        at = _opening(lines, at + 1, "gap", gap)
    if at is None:
        return None
    place, below, number = at, None, at + 1
    while number < len(lines) and (option := _SETTING.match(lines[number])):
        if option[1] in ("answer", "mistake", "partly") or (option[1] is None and below == number - 1):
            below = number
        place, number = number, number + 1
    end = "\r\n" if lines[at].endswith("\r\n") else "\n"
    lines.insert((below if below is not None else place) + 1, line + end)
    return "".join(lines)


_SETTING = re.compile(r"(?::([a-z][a-z_-]*):(?:\s|$)|  )")  # a setting, or an answer that goes on


def _opening(lines: Sequence[str], first: int, name: str, slug: str) -> int | None:
    fence = re.compile(rf"(?::{{3,}}|`{{3,}}|~{{3,}})\s*\{{{name}\}}\s+{re.escape(slug)}\s*$")
    return next((at for at in range(first, len(lines)) if fence.match(lines[at])), None)

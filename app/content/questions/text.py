"""`text`: words, in any accepted spelling; case and outer space do not count."""

from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.question import Question, Values
from app.content.substitution import substitute
from graders.exercise.fault import Fault

NAME = "text"
WRITTEN = Written(settings=typed.SETTINGS, is_text=True)
WIDGET = typed.LINE
REMEDY = typed.REMEDY


def placeholder(question: Question) -> str:
    return "a word or two"


def read(question: Question, values: Values, answer: str) -> Reading:
    words = _plain(answer)
    if not words:
        raise UnreadableAnswer("There is no answer yet.", "Type one, then send it.")
    return Reading(words, " ".join(answer.split()))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _written(text: str, values: Values) -> list[str]:
    """The spellings in `one | another`."""
    return [spelling.strip() for spelling in substitute(text, values).split("|")]


def _accepted(text: str, values: Values) -> frozenset[str]:
    return frozenset(map(_plain, _written(text, values)))


def judge(question: Question, values: Values, words: str) -> Outcome:
    if words in _accepted(question.answer, values):
        return Outcome(1.0)
    return typed.missed(question, lambda mistake: words in _accepted(mistake, values))


def answer_text(question: Question, values: Values) -> str:
    return substitute(question.answer.split("|")[0].strip(), values)


shown_answer = answer_text


def faults(question: Question) -> Iterator[Fault]:
    return typed.answer_faults(question, _accepted)


def tries(question: Question, values: Values) -> Iterator[Try]:
    return typed.tries(question, _written(question.answer, values), lambda mistake: _written(mistake, values))

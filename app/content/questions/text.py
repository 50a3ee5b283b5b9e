"""`text`: words, in any accepted spelling; case and outer space do not count.

Nor do hyphens, a full stop at the end and an article at the beginning, unless the author lists that spelling as a
mistake. A plural counts: `row` is not `rows`."""

import re
from collections.abc import Iterator

from app.content.expression import UnreadableAnswer
from app.content.questions import typed
from app.content.questions.kind import Outcome, Reading, Try, Written
from app.content.questions.nearly import near_words
from app.content.questions.question import Question, Values
from app.content.substitution import substitute
from graders.exercise.fault import Fault

NAME = "text"
WRITTEN = Written("answer", settings=typed.SETTINGS, is_text=True)
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
    accepted = _accepted(question.answer, values)
    if words in accepted:
        return Outcome(1.0)

    def is_met(mistake: str) -> bool:
        return words in _accepted(mistake, values)

    is_listed = any(is_met(mistake.expression) for mistake in question.mistakes)
    if not is_listed and _is_alike(words, accepted):
        return Outcome(1.0)
    if not is_listed and any(_is_alike(words, _accepted(each.expression, values)) for each in question.mistakes):
        return typed.missed(question, lambda mistake: _is_alike(words, _accepted(mistake, values)))
    return typed.missed(question, is_met, lambda: near_words(words, sorted(accepted)))


def _is_alike(words: str, spellings: frozenset[str]) -> bool:
    """Whether the answer is one of the spellings but for what nobody means by it."""
    typed_forms = _forms(words) | _forms(_ARTICLE.sub("", words))
    return any(typed_forms & _forms(spelling) for spelling in spellings)


def _forms(words: str) -> frozenset[str]:
    """With a space for each hyphen, and with none: `position wise`, `positionwise`. `i.i.d.` is `iid`. A hyphen between
    single letters or beside a digit may be a minus sign, and stays."""
    plain = _INITIALS.sub(lambda found: found[0].replace(".", ""), words)
    plain = re.sub(r"(?<=[^\W\d_])\.$", "", plain)
    return frozenset({_HYPHEN.sub(" ", plain), _HYPHEN.sub("", plain)})


_ARTICLE = re.compile(r"^(?:an?|the) (?=[^\W\d_]{3})")
_INITIALS = re.compile(r"(?<![\w.])(?:[a-z]\.){2,}[a-z]?(?![\w(\[])")
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})[-‐‑](?=[^\W\d_])|(?<=[^\W\d_])[-‐‑](?=[^\W\d_]{2})")


def answer_text(question: Question, values: Values) -> str:
    return substitute(question.answer.split("|")[0].strip(), values)


shown_answer = answer_text


def faults(question: Question) -> Iterator[Fault]:
    return typed.answer_faults(question, _accepted)


def tries(question: Question, values: Values) -> Iterator[Try]:
    return typed.tries(question, _written(question.answer, values), lambda mistake: _written(mistake, values))

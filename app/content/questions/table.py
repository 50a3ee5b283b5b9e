"""The types of question by name: to add one is to write its file, and its line here."""

from collections.abc import Mapping

from app.content.questions import choice, choices, cloze, count, essay, matching, number, order, predict, shape, text
from app.content.questions.kind import Kind
from app.content.questions.question import Question


def by_name(*kinds: Kind) -> Mapping[str, Kind]:
    """Raises TypeError for a type that is not whole."""
    found: dict[str, Kind] = {}
    for kind in kinds:
        if not isinstance(kind, Kind) or kind.NAME in found:
            raise TypeError(f"{kind} lacks a name of the Protocol, or has another's NAME")
        found[kind.NAME] = kind
    return found


KINDS = by_name(
    choice,
    choices,
    shape,
    count,
    number,
    text,
    order,
    predict,
    matching,
    cloze,
    essay,
)


def kind_of(question: Question) -> Kind:
    return KINDS[question.type]

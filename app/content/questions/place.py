"""Where a question stands in the text of its lesson: its lines, and no others, are read, replaced and named.

A lesson is looked through by its fences alone, as CommonMark closes them, so that a text of any kind takes no longer
than its length: nothing is rendered here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.content.questions.pieces import NotAForm, closes, fenced
from app.content.questions.writer import Unwritable


class NotThere(Exception):
    """The lesson has no such question, or several."""


@dataclass(frozen=True)
class Place:
    """The lines of a question from `first` up to, not including, `end`, counted from 0."""

    slug: str
    first: int
    end: int


def places_in(lesson: str) -> Iterator[Place]:
    """Every question at the left margin, in reading order; one that is never closed is none."""
    lines = [line.rstrip("\r\n") for line in _lines(lesson)]
    number = _after_head(lines)
    while number < len(lines):
        fence = re.match(r" {0,3}(`{3,}(?=[^`]*$)|~{3,}|:{3,})(.*)", lines[number])
        if fence is None:
            number += 1
            continue
        end = next((at for at in range(number + 1, len(lines)) if closes(lines[at], fence[1])), None)
        if end is None:
            return
        asked = re.fullmatch(r"\s*\{question\}\s*(.*?)\s*", fence[2])
        if asked and lines[number].startswith(fence[1]):
            yield Place(asked[1], number, end + 1)
        number = end + 1


def place_of(lesson: str, slug: str) -> Place:
    """Raises NotThere."""
    found = [place for place in places_in(lesson) if place.slug == slug]
    if len(found) != 1:
        raise NotThere(f"The lesson has {'no question' if not found else 'two questions'} `{slug}`.")
    return found[0]


def text_at(lesson: str, place: Place) -> str:
    return "\n".join(line.rstrip("\r\n") for line in _lines(lesson)[place.first : place.end])


def replaced(lesson: str, slug: str, text: str) -> str:
    """The lesson with this text in place of the question's lines; every other line keeps its bytes. Raises NotThere,
    and Unwritable where the text would not be one question there."""
    place = place_of(lesson, slug)
    lines = _lines(lesson)
    end = next(iter(re.findall(r"\r\n|\r|\n", lines[place.first])), "\n")
    try:
        new = [f"{line}{end}" for line in fenced(text.replace("\r\n", "\n").replace("\r", "\n")).lines]
    except NotAForm as error:
        raise Unwritable("text", error.message, error.hint) from None
    if place.end == len(lines) and not lines[-1].endswith(("\r", "\n")):
        new[-1] = new[-1].removesuffix(end)
    whole = "".join([*lines[: place.first], *new, *lines[place.end :]])
    before, after = list(places_in(lesson)), list(places_in(whole))
    moved = len(new) - (place.end - place.first)
    others = [Place(one.slug, one.first + moved, one.end + moved) if one.first > place.first else one for one in before]
    own = Place(fenced(text).slug, place.first, place.end + moved)
    if after != [own if one == place else one for one in others]:
        raise Unwritable("text", "The text does not end where its fence says.", "Check the fences in it.")
    if [one.slug for one in after].count(own.slug) > 1:
        message = f"Another question of this lesson is named `{own.slug}`."
        raise Unwritable("slug", message, "Answers are stored under the name: give each question its own.")
    return whole


def head_of(lesson: str) -> str:
    """The lesson's lines above its text: its front matter, or nothing."""
    lines = _lines(lesson)
    return "".join(lines[: _after_head([line.rstrip("\r\n") for line in lines])])


def _lines(text: str) -> list[str]:
    """Each with its own end, whichever it is."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def _after_head(lines: list[str]) -> int:
    """The first line below the front matter."""
    if not lines or lines[0].removeprefix("\ufeff") != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines) if number and line == "---"), 0)

"""Where notes stand in a lesson as it is now: in their section, in another one, or nowhere, as their text has gone.

Compared are letters and digits alone, as the browser's text and ours differ in spaces, and in how formulas are written.
The browser (js/notes/places.js) finds the exact place, to mark it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.content.course import Course
from app.content.lesson import HtmlBlock, Lesson
from app.content.page import Heading
from app.content.sections import sections
from app.reading.catalog import Catalog
from app.reading.notes import Note
from app.web.errors import NotFound

KEPT_LESSONS = 128
BEGINNING = Heading(2, "The beginning of the lesson", "")


@dataclass(frozen=True)
class NoteGroup:
    """The notes of one section, in the order of the text; `heading` None: what they were about is no longer there."""

    heading: Heading | None
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class LessonNotes:
    """A lesson's notes, and the sections that may be written on. `course` and `lesson` None: it is no longer there."""

    course: Course | None
    lesson: Lesson | None
    sections: tuple[Heading, ...]
    groups: tuple[NoteGroup, ...]

    @property
    def count(self) -> int:
        return sum(len(group.notes) for group in self.groups)

    @property
    def first(self) -> Note:
        """Any of them: it names the course and the lesson also when they have gone."""
        return self.groups[0].notes[0]


def arranged(course: Course, lesson: Lesson, notes: Iterable[Note]) -> LessonNotes:
    headings = (BEGINNING, *lesson.render().outline)
    found: dict[str | None, list[tuple[int, Note]]] = {}
    for note in notes:
        section, at = _place(lesson, note, {heading.anchor for heading in headings})
        found.setdefault(section, []).append((at, note))
    groups = [NoteGroup(heading, _in_order(found[heading.anchor])) for heading in headings if heading.anchor in found]
    if None in found:
        groups.append(NoteGroup(None, _in_order(found[None])))
    return LessonNotes(course, lesson, headings, tuple(groups))


def arranged_by_lesson(catalog: Catalog, notes: Iterable[Note]) -> list[LessonNotes]:
    """In the order of the courses and their lessons; those of lessons that are no longer there come last."""
    by_lesson: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        by_lesson.setdefault((note.course, note.lesson), []).append(note)
    order = [(course.slug, lesson.slug) for course in list(catalog.courses.values()) for lesson in course.lessons]
    there = [_of_lesson(catalog, *names, by_lesson.pop(names)) for names in order if names in by_lesson]
    gone = [LessonNotes(None, None, (), (NoteGroup(None, tuple(left)),)) for left in by_lesson.values()]
    return [*there, *gone]


def _of_lesson(catalog: Catalog, course: str, lesson: str, notes: list[Note]) -> LessonNotes:
    try:
        return arranged(*catalog.lesson(course, lesson), notes)
    except NotFound:  # it went while this page was made
        return LessonNotes(None, None, (), (NoteGroup(None, tuple(notes)),))


def _in_order(found: list[tuple[int, Note]]) -> tuple[Note, ...]:
    return tuple(note for _, note in sorted(found, key=lambda pair: (pair[0], pair[1].id)))


def _place(lesson: Lesson, note: Note, anchors: set[str]) -> tuple[str | None, int]:
    """The section that a note stands in now, or None, and how far into the lesson."""
    if not note.quote:
        return (note.section if note.section in anchors else None), -1
    text, begins = _folded_lesson(lesson)
    quote = _folded(note.quote)
    at = _nearest(text, quote, dict(begins).get(note.section, 0)) if quote else None
    if at is None:
        return None, -1
    within = [anchor for anchor, begin in begins if begin <= at and anchor in anchors]
    return (within[-1] if within else ""), at


def _nearest(text: str, quote: str, begin: int) -> int | None:
    """Of the places where the quotation stands, the one nearest to where its section begins."""
    return min(_occurrences(text, quote), key=lambda at: abs(at - begin), default=None)


def _occurrences(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)


@lru_cache(maxsize=KEPT_LESSONS)
def _folded_lesson(lesson: Lesson) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Its text, without questions, cells and exercises, and where in it each section begins."""
    pieces: list[str] = []
    begins: list[tuple[str, int]] = [("", 0)]
    length = 0
    html = "\n".join(block.html for block in lesson.render().blocks if isinstance(block, HtmlBlock))
    for section in sections(html):
        if section.heading.anchor:
            begins.append((section.heading.anchor, length))
        pieces.append(_folded(f"{section.heading.text} {section.text}"))
        length += len(pieces[-1])
    return "".join(pieces), tuple(begins)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)

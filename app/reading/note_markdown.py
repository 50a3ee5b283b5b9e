"""All of someone's notes as one Markdown file, to be read and kept elsewhere."""

import re
from collections.abc import Iterable, Iterator

from app.reading.note_places import LessonNotes, NoteGroup
from app.reading.notes import Note

GONE = "The text that this note was about has changed"


def to_markdown(lessons: Iterable[LessonNotes], origin: str) -> str:
    """Headings for courses, lessons and sections; a quotation as such, and what was written as it was typed.
    `origin`: where links lead, without a slash at its end."""
    lines = ["# My notes", ""]
    course = None
    for notes in lessons:
        if notes.first.course != course:
            course = notes.first.course
            lines += [f"## {_plain(notes.course.title if notes.course else course)}", ""]
        lines += [f"### {_lesson_title(notes, origin)}", ""]
        for group in notes.groups:
            lines += _group(notes, group, origin)
    return "\n".join(lines)


def _lesson_title(notes: LessonNotes, origin: str) -> str:
    if notes.lesson is None:
        return f"{_plain(notes.first.lesson)} (no longer there)"
    return f"[{_plain(notes.lesson.title)}]({origin}{notes.lesson.url})"


def _group(notes: LessonNotes, group: NoteGroup, origin: str) -> Iterator[str]:
    if group.heading is None:
        yield from (f"#### {GONE}", "")
    elif notes.lesson is not None and group.heading.anchor:
        yield from (f"#### [{_plain(group.heading.text)}]({origin}{notes.lesson.url}#{group.heading.anchor})", "")
    for note in group.notes:
        yield from _note(note)


def _note(note: Note) -> Iterator[str]:
    if note.quote:
        yield from (f"> {_plain(note.quote)}", "")
    if note.text:
        yield from (note.text, "")


def _plain(text: str) -> str:
    """On one line, with nothing in it that Markdown would read as a mark."""
    return re.sub(r"([\\`*_\[\]<>#$|~])", r"\\\1", " ".join(text.split()))

"""What new content begins as: the files in `scaffolds/`, filled in with its name, held in memory.

The command line writes them into folders; the author's desk makes a first revision of them.
"""

import keyword
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from app.content.lesson import lesson_slug
from graders.text import title_of

SCAFFOLDS = Path(__file__).resolve().parents[2] / "scaffolds"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG_CHARACTERS = 100  # a course's first exercise has a longer name
Template = Literal["lesson", "quiz"]
_WORD = re.compile(r"\b(TITLE|ENTRY|SLUG)\b")
_TITLE = re.compile(r'^(title\s*=\s*"(?:[^"\\\n]|\\.)*)(?=")', re.MULTILINE)


class NameTaken(Exception):
    """The course has a lesson of this name already."""


def is_slug(name: str) -> bool:
    return bool(SLUG.fullmatch(name)) and len(name) <= MAX_SLUG_CHARACTERS


def new_exercise(slug: str) -> dict[str, bytes]:
    """Statement, starter, reference, cases and two mistakes, which pass the gate as they are."""
    return _scaffold("exercise", slug)


def new_course(slug: str, exercise: str | None = None) -> dict[str, bytes]:
    """A cover and a first lesson, which embeds `exercise` where one is named."""
    cover = _scaffold("course", slug)
    end = f"\n:::{{exercise}} {exercise}\n:::\n" if exercise else ""
    path, lesson = new_lesson(cover, "first-lesson", end=end)
    return {**cover, path: lesson}


def new_lesson(names: Collection[str], slug: str, template: Template = "lesson", *, end: str = "") -> tuple[str, bytes]:
    """The next lesson, or quiz, of a course with files of these names: its own name, and its text. Raises NameTaken."""
    numbered = [name for name in names if re.fullmatch(r"\d+-[^/]*\.md", name)]
    if any(lesson_slug(name) == slug for name in numbered):
        raise NameTaken(slug)
    number = max((int(name.partition("-")[0]) for name in numbered), default=0) + 1
    text = (SCAFFOLDS / f"{template}.md").read_text(encoding="utf-8")
    return f"{number:02d}-{slug}.md", (_filled(text, slug) + end).encode()


def new_repository(slug: str) -> dict[str, bytes]:
    """What stands around the content in a repository of one's own."""
    return _scaffold("repository", slug)


def duplicate(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same files under another name. The title says that it is a copy, so that two in a list are told apart."""
    return {
        path: _TITLE.sub(r"\1 (copy)", content.decode(), count=1).encode()
        if path in ("exercise.toml", "course.toml") and _is_text(content)
        else content
        for path, content in files.items()
    }


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _scaffold(name: str, slug: str) -> dict[str, bytes]:
    folder = SCAFFOLDS / name
    return {
        path.relative_to(folder).as_posix(): _filled(path.read_text(encoding="utf-8"), slug).encode()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _filled(text: str, slug: str) -> str:
    entry = slug.replace("-", "_")
    is_name = entry.isidentifier() and not keyword.iskeyword(entry)
    words = {"TITLE": title_of(slug), "ENTRY": entry if is_name else "solve", "SLUG": slug}
    return _WORD.sub(lambda found: words[found[0]], text)

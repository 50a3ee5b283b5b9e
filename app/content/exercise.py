"""An exercise's words as a page: statement, hints one at a time, worked solution, and the modules it provides.

`hints.md` is a numbered list at the left margin (`1. …`, continued in indented lines) or `##` headings with text
below them, from gentle to concrete; each item, or each heading with its text, is one hint.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from app.content.course import course_slug, exercise_link
from app.content.highlight import listing
from app.content.lesson import lesson_slug
from app.content.markdown import render
from app.content.picture import is_figure, moves, size_of
from graders.exercise.materials import provided_in

if TYPE_CHECKING:
    from graders.exercise.definition import Exercise


@dataclass(frozen=True)
class ExercisePage:
    statement_html: str
    hints_html: tuple[str, ...]
    solution_html: str
    provided_html: tuple[tuple[str, str], ...]  # path and source of each module that students may import


def page(exercise: "Exercise") -> ExercisePage:
    provided = tuple(provided_in(exercise.files).items())
    return _page(exercise.statement, exercise.hints, exercise.solution, links_of(exercise), provided)


@lru_cache(maxsize=1024)
def _page(
    statement: str, hints: str, solution: str, links: "ExerciseLinks", provided: tuple[tuple[str, str], ...]
) -> ExercisePage:
    return ExercisePage(
        statement_html=render(statement, links=links).html,
        hints_html=tuple(render(hint, links=links).html for hint in split_hints(hints)),
        solution_html=render(solution, links=links).html,
        provided_html=tuple((path, listing(source)) for path, source in provided),
    )


def split_hints(text: str) -> tuple[str, ...]:
    """The hints, each as Markdown."""
    text = text.replace("\r\n", "\n")
    if starts := _openings(text):
        ends = [start.start() for start in starts[1:]] + [len(text)]
        return tuple(
            _hint(text[start.start() : end], start.end() - start.start())
            for start, end in zip(starts, ends, strict=True)
        )
    return (text.strip(),) if text.strip() else ()


def numbered_hints(text: str) -> list[int]:
    """Where each hint begins that has a number or a heading."""
    return [start.start() for start in _openings(text)]


def _openings(text: str) -> list[re.Match[str]]:
    masked = _masked(text)
    found = (list(re.finditer(rf"^{opening}", masked, re.MULTILINE)) for opening in (r"\d+[.)]\s+", r"##\s+"))
    return next(filter(None, found), [])


def _masked(text: str) -> str:
    """The text with its code fences blanked: a numbered line inside code begins no hint."""
    return re.sub(
        r"^ *(`{3,}|~{3,})[^\n]*\n.*?^ *\1[^\n]*$", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S
    )


def _hint(text: str, indent: int) -> str:
    if text.startswith("##"):
        heading, _, body = text.partition("\n")
        words = re.sub(r"^##\s+(?:\d+[.:]?\s*)?(?:Hint\s*\d*[.:]?\s*)?", "", heading).strip()
        return "\n\n".join(filter(None, (words and f"**{words}**", body.strip())))
    first, _, rest = text[indent:].partition("\n")
    lines = [line[indent:] if not line[:indent].strip() else line for line in rest.split("\n")]
    return "\n".join([first, *lines]).strip()


def links_of(exercise: "Exercise") -> "ExerciseLinks":
    return _links(exercise.slug, frozenset(item for item in exercise.files.items() if is_figure(item[0])))


@lru_cache(maxsize=1024)
def _links(slug: str, figures: frozenset[tuple[str, bytes]]) -> "ExerciseLinks":
    sizes = {path: size_of(content) for path, content in figures}
    return ExerciseLinks(slug, frozenset(sizes.items()), frozenset(path for path, content in figures if moves(content)))


@dataclass(frozen=True)
class ExerciseLinks:
    """Where a relative link in exercises/<slug>/ leads: `figures/NAME`, `../other-slug/`, `exercise:slug`,
    `../../lessons/<course>/01-lesson.md`. `sizes`: of each picture, None where it says none."""

    exercise: str
    sizes: frozenset[tuple[str, tuple[int, int] | None]]
    moving: frozenset[str] = frozenset()

    def moves(self, href: str) -> bool:
        return href.removeprefix("./") in self.moving

    def size(self, href: str) -> tuple[int, int] | None:
        return dict(self.sizes).get(href.removeprefix("./"))

    def __call__(self, href: str) -> str | None:
        path, hash_, anchor = href.partition("#")
        if found := exercise_link(path):
            return found + hash_ + anchor
        if (figure := path.removeprefix("./")) in dict(self.sizes):
            return f"/exercises/{self.exercise}/{figure}"
        if sibling := re.fullmatch(r"\.\./([a-z0-9-]+)/?(?:statement\.md)?", path):
            return f"/exercises/{sibling[1]}{hash_}{anchor}"
        if lesson := re.fullmatch(r"\.\./\.\./lessons/([a-z0-9-]+)/(\d+-[a-z0-9-]+\.md)", path):
            return f"/courses/{course_slug(lesson[1])}/{lesson_slug(lesson[2])}{hash_}{anchor}"
        return None

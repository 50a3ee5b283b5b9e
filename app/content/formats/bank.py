"""A bank of questions of another system, as a course of quizzes: a category is a lesson's file.

Each question is tried out before it is written: what `check` would refuse is refused, with the reason, and does not
keep the others back.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.content.course import course_from_files
from app.content.formats.asked import markdown_of
from app.content.formats.draft import slug_of
from app.content.formats.elements import root_tag
from app.content.formats.kind import Item, NoCounterpart, Refused
from app.content.questions.question import Question

QUESTIONS_PER_LESSON = 50
MAX_PICTURE_BYTES = 4 << 20
MAX_LESSON_BYTES = 200 << 10
SLUG_CHARACTERS = 60


@dataclass
class Text:
    """Words between questions: shown with those that follow."""

    title: str
    markdown: str


@dataclass
class Category:
    title: str
    intro: str = ""
    blocks: list[Question | Text] = field(default_factory=list)


@dataclass
class Bank:
    """What a format has gathered so far. `title` of the course, `name` of its folder."""

    title: str
    name: str
    categories: list[Category] = field(default_factory=list)
    figures: dict[str, bytes] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    exercises: list[Item] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def category(self, title: str) -> Category:
        """The category of this title, a new one where there is none."""
        found = next((category for category in self.categories if category.title == title), None)
        if found is None:
            found = Category(title)
            self.categories.append(found)
        return found

    def refuse(self, name: str, why: str) -> None:
        self.refused.append(Refused(name, why))

    def lose(self, name: str, lost: list[str]) -> None:
        if lost:
            self.warnings.append(f"{name}: has no counterpart here and was left out: {'; '.join(lost)}.")

    def put(self, category: Category, name: str, block: Callable[[], Question | Text], lost: list[str]) -> None:
        """Add what `block` makes, and say what was lost on the way, which it appends to `lost`; or refuse it."""
        try:
            category.blocks.append(block())
        except NoCounterpart as error:
            self.refuse(name, str(error))
            return
        self.lose(name, lost)

    def figure(self, name: str, content: bytes) -> str | None:
        """`figures/NAME` of a picture, or None for what is no picture of a known kind and a bounded size.

        attack: a page that calls itself a picture; a name with `../` in it; a picture of 100 MB. defence: its first
        bytes say what it is, its name is made of letters that are safe, and its size is looked at first.
        """
        suffix = picture_suffix(content)
        if suffix is None or len(content) > MAX_PICTURE_BYTES:
            return None
        stem = slug_of(re.sub(r"\.\w+$", "", name.rpartition("/")[2]))[:SLUG_CHARACTERS] or "picture"
        for number in range(1, 1000):
            path = f"figures/{stem}{f'-{number}' if number > 1 else ''}{suffix}"
            if self.figures.setdefault(path, content) == content:
                return path
        return None

    def items(self) -> Iterator[Item | Refused]:
        """The exercises, the course, and what is neither."""
        yield from self.exercises
        written = _Course(self)
        if files := written.files():
            yield Item(written.slug, files, "course", tuple(self.warnings))
        yield from self.refused


def picture_suffix(content: bytes) -> str | None:
    """The suffix of a PNG, JPEG, WebP or SVG, by its first bytes."""
    head = content[:2048]
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if head.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return ".webp"
    return ".svg" if root_tag(content) == "svg" else None


class _Course:
    """The files of the course that a bank becomes."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self.slug = slug_of(bank.name)[:SLUG_CHARACTERS] or "questions"

    def files(self) -> Mapping[str, bytes]:
        """None of them where no question is left."""
        lessons: dict[str, bytes] = {}
        for category in self.bank.categories:
            for title, text in self._lessons(category):
                slug = _apart(slug_of(title)[:SLUG_CHARACTERS] or "quiz", {name[3:-3] for name in lessons})
                lessons[f"{len(lessons) + 1:02}-{slug}.md"] = text.encode()
        if not lessons:
            return {}
        used = b"\n".join(lessons.values())
        figures = {path: content for path, content in self.bank.figures.items() if path.encode() in used}
        return {"course.toml": self._cover(), **lessons, **figures}

    def _cover(self) -> bytes:
        title = json.dumps(self.bank.title or "Questions", ensure_ascii=False).replace("\x7f", "")
        return f'title = {title}\nblurb = "Questions from another system."\n'.encode()

    def _lessons(self, category: Category) -> Iterator[tuple[str, str]]:
        """(title, text) of each; a category that is too long for one lesson goes on in another."""
        parts: list[list[str]] = [[]]
        count = size = 0
        taken: set[str] = set()
        for block in category.blocks:
            text = self._question(block, taken) if isinstance(block, Question) else _described(block)
            if text is None:
                continue
            is_question = isinstance(block, Question)
            if count + is_question > QUESTIONS_PER_LESSON or size + len(text.encode()) > MAX_LESSON_BYTES:
                parts.append([])
                count = size = 0
            parts[-1].append(text)
            count, size = count + is_question, size + len(text.encode())
        for number, part in enumerate(parts, 1):
            if any(re.match(r":+\{question\}", text) for text in part):
                title = category.title if number == 1 else f"{category.title} ({number})"
                yield title, _lesson(title, [category.intro, *part] if number == 1 else part)

    def _question(self, question: Question, taken: set[str]) -> str | None:
        """Its Markdown, or None where it was refused. `question.slug` is what its own system calls it."""
        slug = _apart(slug_of(question.slug)[:SLUG_CHARACTERS] or f"question-{len(taken) + 1}", taken)
        text = markdown_of(replace(question, slug=slug))
        if why := self._why_not(text):
            self.bank.refuse(question.slug, why)
            return None
        taken.add(slug)
        return text

    def _why_not(self, text: str) -> str:
        """What `check` would say of the question; "" where it has no fault."""
        files = {"course.toml": b'title = "t"\nblurb = "b"', "01-q.md": _lesson("t", [text]).encode()}
        figures = {path: content for path, content in self.bank.figures.items() if path in text}
        course = course_from_files("c", {**files, **figures})
        faults = [fault for lesson in course.lessons for fault in lesson.faults if fault.severity == "error"]
        faults = [fault for fault in faults if not fault.message.startswith("The quiz has no questions")] or faults
        return f"{faults[0].message} {faults[0].hint}" if faults else ""


def _lesson(title: str, blocks: list[str]) -> str:
    head = json.dumps(" ".join(title.split()) or "Questions", ensure_ascii=False)
    return f"---\ntitle: {head}\nkind: quiz\n---\n\n" + "\n\n".join(filter(None, blocks)) + "\n"


def _described(text: Text) -> str:
    heading = " ".join(text.title.split())
    return f"## {heading}\n\n{text.markdown}".strip() if heading else text.markdown


def _apart(slug: str, taken: set[str]) -> str:
    number = 1
    while (found := slug if number == 1 else f"{slug}-{number}") in taken:
        number += 1
    return found


def require_questions(bank: Bank) -> None:
    """Raises NoCounterpart where nothing at all was found."""
    if not (bank.categories or bank.refused or bank.exercises):
        raise NoCounterpart("There are no questions in it.")

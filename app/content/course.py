"""A course: a folder of lessons that reads like a book, with `course.toml` on its cover."""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.content.lesson import Lesson, lesson_slug, read_lesson
from app.content.picture import figure_in, is_figure, size_of
from app.content.questions.question import Question, right_positions
from graders.exercise.fault import Fault, Severity
from graders.exercise.folder import hash_files, read_files
from graders.exercise.toml import ReadToml, TomlFault, line_of, read_toml
from graders.text import headline, storable, title_of

MAX_FILE_BYTES = 8 << 20  # of a picture
MIN_CHOICES_FOR_SKEW = 4


@dataclass(frozen=True)
class Course:
    slug: str
    title: str
    blurb: str
    authors: tuple[str, ...]
    prerequisites: tuple[str, ...]
    lessons: tuple[Lesson, ...]
    content_hash: str
    discussions: bool  # people may ask and answer below its questions, and below the exercises that it alone has
    files: Mapping[str, bytes] = field(repr=False)
    cover_faults: tuple[Fault, ...] = ()

    @property
    def minutes(self) -> int:
        return sum(lesson.minutes for lesson in self.lessons)

    @property
    def questions(self) -> list[Question]:
        """In reading order."""
        return [question for lesson in self.lessons for question in lesson.questions.values()]

    def lesson(self, slug: str) -> Lesson | None:
        return next((lesson for lesson in self.lessons if lesson.slug == slug), None)

    def number(self, lesson: Lesson) -> int:
        """The place of a lesson of this course, from 1."""
        return self.lessons.index(lesson) + 1

    def before(self, lesson: Lesson) -> Lesson | None:
        number = self.number(lesson)
        return self.lessons[number - 2] if number > 1 else None

    def after(self, lesson: Lesson) -> Lesson | None:
        number = self.number(lesson)
        return self.lessons[number] if number < len(self.lessons) else None

    def figure(self, name: str) -> tuple[bytes, str] | None:
        """The content and media type of `figures/<name>`: what /courses/<course>/figures/<name> answers with."""
        return figure_in(self.files, name)


def read_course(folder: Path) -> Course:
    """The course in a folder; a broken one is still there, with its faults. Raises FolderUnreadable."""
    return course_from_files(course_slug(folder.name), read_files(folder, MAX_FILE_BYTES).contents, str(folder))


def course_from_files(slug: str, files: Mapping[str, bytes], folder: str | None = None) -> Course:
    """The course in a snapshot. `folder` is what faults call it."""
    place = folder or slug
    cover, faults = _cover(files.get("course.toml"), f"{place}/course.toml")
    names = sorted(name for name in files if re.fullmatch(r"\d+-[^/]*\.md", name))
    if not names:
        hint = "Name them 01-first.md, 02-second.md, …"
        faults.append(Fault("error", place, None, "course", "The course has no lessons.", hint))
    figures = frozenset(filter(is_figure, files))
    sizes = frozenset((name, size) for name in figures if (size := size_of(files[name])))
    links = CourseLinks(slug, frozenset(names), figures, sizes)
    lessons: dict[str, Lesson] = {}
    for name in names:
        path = f"{place}/{name}"
        text, coded = _text_of(files[name], path)
        faults += coded
        lesson = read_lesson(text, course_slug=slug, name=name, path=path, links=links)
        if lesson.slug in lessons:
            hint = "The number before the dash is not part of the name: change the words."
            faults.append(Fault("error", path, 1, "course", f"Two lessons are named `{lesson.slug}`.", hint))
            continue
        lessons[lesson.slug] = lesson
    return Course(
        slug=slug,
        title=_text(cover, "title") or title_of(slug),
        blurb=_text(cover, "blurb"),
        authors=_texts(cover, "authors"),
        prerequisites=_texts(cover, "prerequisites"),
        lessons=tuple(lessons.values()),
        content_hash=hash_files(files),
        discussions=cover.get("discussions") is not False,
        files=files,
        cover_faults=tuple(faults),
    )


def _text_of(content: bytes, path: str) -> tuple[str, list[Fault]]:
    """The text as well as it can be read, and what is wrong with its bytes."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        is_utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        message = "The file is UTF-16, not UTF-8." if is_utf16 else "The file is not UTF-8."
        fault = Fault("error", path, line, "encoding", message, "Save it as UTF-8.")
        return storable(content.decode("utf-8", errors="replace")), [fault]
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        message = "The file holds a NUL character."
        fault = Fault("error", path, line, "encoding", message, "Remove it, or save the file as UTF-8.")
        return storable(text), [fault]
    return text, []


def course_slug(folder_name: str) -> str:
    return re.sub(r"^\d+-", "", folder_name)


def find_course_faults(course: Course, exercises: Collection[str] | None = None) -> list[Fault]:
    """Everything wrong with a course; with `exercises` (their slugs), also what it embeds that is not there."""
    faults = list(course.cover_faults)
    for lesson in course.lessons:
        faults.extend(lesson.faults)
        for slug in lesson.render().exercises if exercises is not None else ():
            if slug not in (exercises or ()):
                hint = "Use the name of a folder in exercises/."
                line = _line(lesson, f"{{exercise}} {slug}")
                faults.append(Fault("error", lesson.path, line, "link", f"There is no exercise {slug}.", hint))
        faults.extend(_lost_anchors(course, lesson))
    return faults + _skewed(course)


def _skewed(course: Course) -> list[Fault]:
    """A student who finds most right answers in one place learns the place. Only fixed orders can be skewed: shuffled
    options come in every place equally often (`question`)."""
    quizzes = [(lesson.path, [lesson]) for lesson in course.lessons if lesson.kind == "quiz"]
    found = [fault for path, lessons in quizzes for fault in _skewed_in(path, lessons)]
    folder = course.lessons[0].path.rpartition("/")[0] if course.lessons else ""
    return found or _skewed_in(folder, course.lessons)


def _skewed_in(path: str, lessons: Sequence[Lesson]) -> list[Fault]:
    places = Counter(
        place for lesson in lessons for question in lesson.questions.values() for place in right_positions(question)
    )
    total = places.total()
    if total < MIN_CHOICES_FOR_SKEW:
        return []
    place, count = places.most_common(1)[0]
    if count * 2 <= total:
        return []
    message = f"Of {total} right options in a fixed order, {count} are option {place + 1}."
    return [
        Fault(
            "warning",
            path,
            None,
            "skewed-answers",
            message,
            "Remove `:shuffle: false` where the order does not matter.",
        )
    ]


def _lost_anchors(course: Course, lesson: Lesson) -> list[Fault]:
    """Links to a heading of another lesson of this course that is not there."""
    anchors = {f"{other.url}#{heading.anchor}" for other in course.lessons for heading in other.render().outline}
    faults = []
    html = "".join(block.html for block in lesson.render().blocks if block.kind == "html")
    for target in re.findall(rf'href="(/courses/{re.escape(course.slug)}/[^"#]+#[^"]+)"', html):
        if target not in anchors:
            anchor = target.rpartition("#")[2]
            message = f"The linked lesson has no heading #{anchor}."
            hint = "Use the heading's words in lower case, joined by dashes."
            faults.append(Fault("error", lesson.path, _line(lesson, f"#{anchor}"), "link", message, hint))
    return faults


def _line(lesson: Lesson, piece: str) -> int | None:
    before, found, _ = lesson.body.partition(piece)
    return before.count("\n") + 1 if found else None


@dataclass(frozen=True)
class CourseLinks:
    """Where a relative link in a lesson leads: lessons beside it, figures, exercises, other courses' lessons."""

    course: str
    lessons: frozenset[str]
    figures: frozenset[str]
    sizes: frozenset[tuple[str, tuple[int, int]]]

    def size(self, href: str) -> tuple[int, int] | None:
        return dict(self.sizes).get(href.removeprefix("./"))

    def __call__(self, href: str) -> str | None:
        path, hash_, anchor = href.partition("#")
        if exercise := exercise_link(path):
            return exercise + hash_ + anchor
        path = path.removeprefix("./")
        if path in self.lessons:
            return f"/courses/{self.course}/{lesson_slug(path)}{hash_}{anchor}"
        if path in self.figures:
            return f"/courses/{self.course}/{path}"
        if other := re.fullmatch(r"\.\./([a-z0-9-]+)/(\d+-[a-z0-9-]+\.md)", path):
            return f"/courses/{course_slug(other[1])}/{lesson_slug(other[2])}{hash_}{anchor}"
        return None


def exercise_link(path: str) -> str | None:
    """`exercise:slug` and `../../exercises/slug/` lead to the exercise's page."""
    found = re.fullmatch(r"exercise:([a-z0-9-]+)|(?:\.\./)+exercises/([a-z0-9-]+)/?(?:statement\.md)?", path)
    return f"/exercises/{found[1] or found[2]}" if found else None


def _cover(content: bytes | None, path: str) -> tuple[dict[str, object], list[Fault]]:
    if content is None:
        hint = 'Add course.toml with `title = "…"` and `blurb = "…"`.'
        return {}, [Fault("error", path, None, "course", "The course has no course.toml.", hint)]
    text, faults = _text_of(content, path)
    if faults:
        return {}, faults
    read = read_toml(text)
    faults = [_toml_fault(fault, path) for fault in read.faults]
    faults += _cover_faults(read, text, path) if read.is_whole else []
    return read.table, faults


_COVER: dict[str, type] = {"title": str, "blurb": str, "authors": list, "prerequisites": list, "discussions": bool}
_COVER_WORDS = {
    str: ("a string", '"…"'),
    list: ("a list of strings", '["…", "…"]'),
    bool: ("true or false", "false"),
}


def _cover_faults(read: ReadToml, text: str, path: str) -> Iterator[Fault]:
    cover = read.table
    unknown = sorted(set(cover) - set(_COVER))
    for name, wanted in _COVER.items():
        value = cover.get(name)
        kind, example = _COVER_WORDS[wanted]
        is_right = _is_texts(value) if wanted is list else isinstance(value, wanted)
        if name in ("title", "blurb") and value in (None, ""):
            if name not in read.lost and not difflib.get_close_matches(name, unknown):
                line, message = line_of(text, name), f"The course has no {name}."
                yield Fault("error", path, line, "course", message, f'Add `{name} = "…"`.')
        elif name in cover and not is_right:
            line = line_of(text, name)
            hint = f"Write `{name} = {example}`."
            yield Fault("error", path, line, "course", f"`{name}` is not {kind}.", hint)
    for name in unknown:
        meant = difflib.get_close_matches(name, _COVER, 1)
        hint = f"Write `{meant[0]}`." if meant else f"Known: {', '.join(_COVER)}."
        severity: Severity = "error" if meant and meant[0] not in cover else "warning"
        yield Fault(severity, path, line_of(text, name), "course", f"`{name}` is not a known setting.", hint)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _toml_fault(fault: TomlFault, path: str) -> Fault:
    hint = f"{headline(fault.hint)}."
    return Fault("error", path, fault.line, "course", f"The file {fault.message}.", hint)


def _text(cover: Mapping[str, object], name: str) -> str:
    value = cover.get(name)
    return value.strip() if isinstance(value, str) else ""


def _texts(cover: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = cover.get(name)
    return tuple(str(entry) for entry in value) if isinstance(value, list) else ()

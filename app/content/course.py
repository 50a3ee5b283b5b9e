"""A course: a folder of lessons that reads like a book, with `course.toml` on its cover."""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from app.content.lesson import Lesson, lesson_slug, read_lesson
from app.content.picture import figure_in, is_figure, moves, size_of
from app.content.questions.question import Question, right_positions
from graders.exercise.fault import Fault, Severity
from graders.exercise.folder import hash_files, read_files
from graders.exercise.toml import ReadToml, TomlFault, line_of, read_toml
from graders.text import headline, storable, title_of

MAX_FILE_BYTES = 8 << 20  # of a picture
MIN_CHOICES_FOR_SKEW = 4
LESSON_FILE = r"\d+-[^/]*\.md"
_LESSON_NAME = re.compile(r"[^/\x00-\x20]{1,120}")  # longer ones no row could hold


@dataclass(frozen=True)
class Course:
    slug: str
    title: str
    blurb: str
    authors: tuple[str, ...]
    prerequisites: tuple[str, ...]  # in words, or `course:SLUG` for a course that comes before
    picture: str  # `figures/…`; "" for none
    picture_alt: str
    lessons: tuple[Lesson, ...]
    content_hash: str
    discussions: bool  # people may ask and answer below its questions, and below the exercises that it alone has
    renamed: tuple[tuple[str, str], ...]  # names that lessons had, each with the name of the lesson that it leads to
    files: Mapping[str, bytes] = field(repr=False)
    cover_faults: tuple[Fault, ...] = ()

    @property
    def minutes(self) -> int:
        return sum(lesson.minutes for lesson in self.lessons)

    @property
    def comes_after(self) -> tuple[str, ...]:
        """The courses that it names as prerequisites, by slug."""
        found = (_COURSE_LINK.fullmatch(one) for one in self.prerequisites)
        return tuple(link[1] for link in found if link)

    @property
    def words_on_prerequisites(self) -> tuple[str, ...]:
        """Those that are said in words."""
        return tuple(one for one in self.prerequisites if not _COURSE_LINK.fullmatch(one))

    @property
    def picture_url(self) -> str:
        return f"/courses/{self.slug}/{self.picture}" if self.picture in self.files else ""

    @cached_property
    def picture_size(self) -> tuple[int, int] | None:
        """Width and height in pixels, where the picture says so."""
        return size_of(self.files[self.picture]) if self.picture in self.files else None

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
    faults += _picture_faults(cover, files, f"{place}/course.toml")
    faults += _renaming_faults(cover, files, f"{place}/course.toml")
    names = sorted(name for name in files if re.fullmatch(LESSON_FILE, name))
    if not names:
        hint = "Name them 01-first.md, 02-second.md, …"
        faults.append(Fault("error", place, None, "course", "The course has no lessons.", hint))
    figures = frozenset(filter(is_figure, files))
    sizes = frozenset((name, size) for name in figures if (size := size_of(files[name])))
    links = CourseLinks(
        slug, frozenset(names), figures, sizes, frozenset(name for name in figures if moves(files[name]))
    )
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
        picture=_text(cover, "picture"),
        picture_alt=_text(cover, "picture_alt"),
        lessons=tuple(lessons.values()),
        content_hash=hash_files(files),
        discussions=cover.get("discussions") is not False,
        renamed=_names(cover, "renamed"),
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


def in_reading_order(courses: Iterable[Course]) -> list[Course]:
    """As they come, but each right after the courses that it names as prerequisites. Two that name each other are there
    once."""
    by_slug, found = {course.slug: course for course in courses}, dict[str, Course]()
    waiting = list(reversed(by_slug))
    begun = set[str]()
    while waiting:
        slug = waiting.pop()
        left = [one for one in by_slug[slug].comes_after if one in by_slug and one not in begun | {slug}]
        if slug not in begun and left:
            begun.add(slug)
            waiting += [slug, *reversed(left)]
        else:
            found.setdefault(slug, by_slug[slug])
    return list(found.values())


def find_course_faults(
    course: Course, exercises: Collection[str] | None = None, courses: Collection[str] | None = None
) -> list[Fault]:
    """Everything wrong with a course; with `exercises` and `courses` (their slugs), also what it embeds, and what it
    names as a prerequisite, that is not there."""
    faults = list(course.cover_faults)
    folder = course.lessons[0].path.rpartition("/")[0] if course.lessons else course.slug
    for slug in course.comes_after:
        if courses is not None and slug not in courses:
            hint = "Use the name of a folder in lessons/, or say in words what a student must know."
            message = f"There is no course {slug}, which `prerequisites` names."
            faults.append(Fault("warning", f"{folder}/course.toml", None, "course", message, hint))
    for lesson in course.lessons:
        faults.extend(lesson.faults)
        for slug, piece in _named_exercises(lesson) if exercises is not None else ():
            if slug not in (exercises or ()):
                hint = "Use the name of a folder in exercises/."
                line = _line(lesson, piece)
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


def _named_exercises(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """The exercises that a lesson embeds or links to, each once: their slugs, and how the lesson writes the first."""
    found = {slug: f"{{exercise}} {slug}" for slug in lesson.render().exercises}
    html = "".join(block.html for block in lesson.render().blocks if block.kind == "html")
    for slug in re.findall(r'href="/exercises/([a-z0-9-]+)["/#?]', html):
        found.setdefault(slug, f"exercise:{slug}" if f"exercise:{slug}" in lesson.body else f"exercises/{slug}")
    yield from found.items()


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
    moving: frozenset[str] = frozenset()

    def moves(self, href: str) -> bool:
        return href.removeprefix("./") in self.moving

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


_COVER: dict[str, type] = {
    "title": str, "blurb": str, "authors": list, "prerequisites": list, "picture": str, "picture_alt": str,
    "discussions": bool, "renamed": dict,
}  # fmt: skip
_COURSE_LINK = re.compile(r"course:([a-z0-9-]+)")
_COVER_WORDS = {
    str: ("a string", '"…"'),
    list: ("a list of strings", '["…", "…"]'),
    bool: ("true or false", "false"),
    dict: ("a table of names", '{ "old-name" = "new-name" }'),
}


def _cover_faults(read: ReadToml, text: str, path: str) -> Iterator[Fault]:
    cover = read.table
    unknown = sorted(set(cover) - set(_COVER))
    for name, wanted in _COVER.items():
        value = cover.get(name)
        kind, example = _COVER_WORDS[wanted]
        is_right = _IS_RIGHT[wanted](value) if wanted in _IS_RIGHT else isinstance(value, wanted)
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


def _picture_faults(cover: Mapping[str, object], files: Mapping[str, bytes], path: str) -> Iterator[Fault]:
    name, text = _text(cover, "picture"), (files.get("course.toml") or b"").decode(errors="replace")
    if not name:
        return
    if name not in files or not is_figure(name):
        hint = 'Put an SVG, PNG, JPEG or WebP file into figures/, and write `picture = "figures/cover.svg"`.'
        yield Fault("error", path, line_of(text, "picture"), "course", f"There is no picture {name[:80]}.", hint)
    if not _text(cover, "picture_alt"):
        hint = 'Add `picture_alt = "…"`: what the picture shows, for those who do not see it.'
        yield Fault("error", path, line_of(text, "picture"), "course", "The picture has no alternative text.", hint)


def _renaming_faults(cover: Mapping[str, object], files: Mapping[str, bytes], path: str) -> Iterator[Fault]:
    """attack: a name that still has a lesson leads away from it, and takes its readers' work along. defence: only names
    that no lesson has any more lead anywhere, and only to lessons that are there."""
    lessons = {lesson_slug(name) for name in files if re.fullmatch(LESSON_FILE, name)}
    text = (files.get("course.toml") or b"").decode(errors="replace")
    for old, new in _names(cover, "renamed"):
        bad = [name for name in (old, new) if not _LESSON_NAME.fullmatch(name)]
        if bad:
            hint = "Name a lesson as in its address, without the number and `.md`; at most 120 characters."
            message = f"`{bad[0][:80]}` is no lesson's name."
            yield Fault("error", path, line_of(text, "renamed"), "course", message, hint)
        elif old in lessons:
            hint = "Remove the line: it names lessons that are called something else now."
            message = f"The lesson {old} is still there, so its name cannot lead to another one."
            yield Fault("error", path, line_of(text, old), "course", message, hint)
        elif new not in lessons:
            hint = "Name a lesson as its address does: without the number and `.md`."
            yield Fault("error", path, line_of(text, old), "course", f"There is no lesson {new[:80]}.", hint)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_names(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


_IS_RIGHT = {list: _is_texts, dict: _is_names}


def _toml_fault(fault: TomlFault, path: str) -> Fault:
    hint = f"{headline(fault.hint)}."
    return Fault("error", path, fault.line, "course", f"The file {fault.message}.", hint)


def _text(cover: Mapping[str, object], name: str) -> str:
    value = cover.get(name)
    return value.strip() if isinstance(value, str) else ""


def _names(cover: Mapping[str, object], name: str) -> tuple[tuple[str, str], ...]:
    value = cover.get(name)
    return tuple(value.items()) if _is_names(value) and isinstance(value, dict) else ()


def _texts(cover: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = cover.get(name)
    return tuple(str(entry) for entry in value) if isinstance(value, list) else ()

"""The gallery: one living example of everything that an author can write, beside its source.

Its content is a course and exercises of our own, below scaffolds/gallery/. They are read once, belong to no catalog and
to no list that students see, and nothing of what happens on their pages is kept.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

from app.content.course import Course, read_course
from app.content.exercise_faults import FILES, FOLDERS
from app.content.labs import LABS
from app.content.labs.kind import Experiment
from app.content.lesson import BLOCKS, Block, HtmlBlock, LabBlock, Lesson, QuestionBlock
from app.content.markdown import render
from app.content.parser import DIRECTIVES
from app.content.questions.pieces import NAMES, SECTIONS
from app.content.questions.question import Question
from app.content.questions.table import KINDS
from app.content.schema import Exercise as ExerciseKeys
from app.people.identity import Caller
from app.settings import ROOT
from app.state import AppState
from app.web.errors import Invalid, JudgeCannotRun, NotFound
from app.web.limits import neighbourhood
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.sandbox import BoxLost
from graders.cell import Busy
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.frameworks import FRAMEWORKS
from graders.grade import Finished, grade
from graders.verdict import SubmissionResult

FOLDER = ROOT / "scaffolds" / "gallery"
COURSE = "living-examples"
URL = "/author/gallery"

Shows = tuple[str, str]  # what it is, and its name: ("lab", "rotation")

# All that an author can write, by the tables that read it. What is in none of them is no kind of anything.
WRITABLE: Mapping[str, tuple[str, ...]] = {
    "Directives": tuple(dict.fromkeys((*DIRECTIVES, *BLOCKS))),
    "Labs": tuple(LABS),
    "Types of question": tuple(KINDS),
    "Sections of a question": SECTIONS,
    "Settings of a question": NAMES,
    "Frameworks": FRAMEWORKS,
    "Keys of exercise.toml": tuple(ExerciseKeys.model_fields),
    "Files of an exercise": (*(name for name in FILES if name != "README.md"), *(f"{name}/" for name in FOLDERS)),
}


@dataclass(frozen=True)
class Example:
    """A part of a lesson, with what stands in it. `url` leads to it."""

    title: str
    url: str
    source: str
    blocks: tuple[Block, ...]
    shows: frozenset[Shows]

    @property
    def anchor(self) -> str:
        return self.url.partition("#")[2]

    @property
    def source_html(self) -> str:
        return source_html(self.source, "markdown")


@dataclass(frozen=True)
class GalleryLesson:
    """`url`: where its cells and labs are run."""

    lesson: Lesson
    url: str
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class GalleryExercise:
    exercise: Exercise
    url: str
    shows: frozenset[Shows]

    @property
    def files(self) -> Iterator[tuple[str, str]]:
        """(path, its text as HTML) of each, as its author wrote it, in the order in which people write them."""
        stored = self.exercise.stored
        paths = sorted(stored, key=lambda path: (path.count("/"), _place(path), path))
        for path in paths:
            yield path, source_html(stored[path].decode(), _LANGUAGES.get(path.rpartition(".")[2], "text"))


_LANGUAGES = {"py": "python", "md": "markdown", "toml": "toml", "svg": "xml"}


def _place(path: str) -> int:
    return FILES.index(path) if path in FILES else len(FILES)


# ---- what there is --------------------------------------------------------------------------------------------


@cache
def gallery_course() -> Course:
    return read_course(FOLDER / COURSE)


@cache
def gallery_lessons() -> Mapping[str, GalleryLesson]:
    """By slug, in reading order."""
    return {lesson.slug: _lesson(lesson) for lesson in gallery_course().lessons}


@cache
def gallery_exercises() -> Mapping[str, GalleryExercise]:
    """By slug."""
    found = sorted(path.parent for path in FOLDER.glob("*/exercise.toml"))
    return {folder.name: _exercise(read_exercise(folder)) for folder in found}


def where_shown() -> dict[Shows, str]:
    """The address of the first example of each."""
    found: dict[Shows, str] = {}
    for lesson in gallery_lessons().values():
        for example in lesson.examples:
            for shows in example.shows:
                found.setdefault(shows, example.url)
    for exercise in gallery_exercises().values():
        for shows in exercise.shows:
            found.setdefault(shows, exercise.url)
    return found


def missing() -> list[Shows]:
    """What can be written, and has no example here."""
    shown = where_shown()
    return [(what, name) for what, names in WRITABLE.items() for name in names if (what, name) not in shown]


def _lesson(lesson: Lesson) -> GalleryLesson:
    """Each heading of the second level begins an example, in the source as on the page."""
    url = f"{URL}/{lesson.slug}"
    sources = re.split(r"^(?=## )", lesson.body, flags=re.MULTILINE)[1:]
    parts = _parts(lesson.render().blocks)
    headings = [heading for heading in lesson.render().outline if heading.level == 2]
    return GalleryLesson(
        lesson,
        url,
        tuple(
            Example(heading.text, f"{url}#{heading.anchor}", source.strip(), tuple(blocks), _shown_by(source, blocks))
            for heading, source, blocks in zip(headings, sources, parts, strict=True)
        ),
    )


def _parts(blocks: tuple[Block, ...]) -> list[list[Block]]:
    parts: list[list[Block]] = []
    for block in blocks:
        pieces = re.split(r"(?=<h2)", block.html) if isinstance(block, HtmlBlock) else [""]
        for html in pieces:
            if html.startswith("<h2"):
                parts.append([])
            if html.strip():
                parts[-1].append(HtmlBlock(_here(html)))
        if not isinstance(block, HtmlBlock):
            parts[-1].append(block)
    return parts


def _here(html: str) -> str:
    """Links within the course lead to the gallery."""
    return html.replace(f'"/courses/{COURSE}/', f'"{URL}/')


def _shown_by(source: str, blocks: list[Block]) -> frozenset[Shows]:
    named = re.findall(r"^(?::{3,}|`{3,})\{([a-z-]+)\}", source, re.MULTILINE)
    settings = re.findall(r"^:([a-z]+):", source, re.MULTILINE)
    types = [block.question for block in blocks if isinstance(block, QuestionBlock)]
    return frozenset({
        *(("Sections of a question" if name in SECTIONS else "Directives", name) for name in named),
        *(("Settings of a question", name) for name in settings if types),
        *(("Types of question", question.type) for question in types),
        *(("Labs", block.lab.name) for block in blocks if isinstance(block, LabBlock)),
    })  # fmt: skip


def _exercise(exercise: Exercise) -> GalleryExercise:
    toml = exercise.files["exercise.toml"].decode()
    keys = re.findall(r"^(?:\[([a-z]+)|([a-z_]+) *=)", toml, re.MULTILINE)
    tops = {path.partition("/")[0] + ("/" if "/" in path else "") for path in exercise.files}
    shows: set[Shows] = {("Keys of exercise.toml", section or key) for section, key in keys}
    shows |= {("Frameworks", name) for name in exercise.frameworks}
    shows |= {("Files of an exercise", top) for top in tops}
    return GalleryExercise(exercise, f"{URL}/exercises/{exercise.slug}", frozenset(shows))


def source_html(text: str, language: str) -> str:
    """A listing, whatever fences are in it."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return render(f"{fence}{language}\n{text.rstrip()}\n{fence}\n").html


# ---- what is found by its name --------------------------------------------------------------------------------


def gallery_lesson(slug: str) -> GalleryLesson:
    """Raises NotFound."""
    return gallery_lessons().get(slug) or _nothing()


def gallery_exercise(slug: str) -> GalleryExercise:
    """Raises NotFound."""
    return gallery_exercises().get(slug) or _nothing()


def gallery_question(id: str) -> Question:
    """By its id. Raises NotFound."""
    return next((question for question in gallery_course().questions if question.id == id), None) or _nothing()


def gallery_experiment(lesson: str, lab: str) -> Experiment:
    """Raises NotFound."""
    labs = [block.lab for block in gallery_lesson(lesson).lesson.render().blocks if isinstance(block, LabBlock)]
    return next((one.kind.experiment for one in labs if one.name == lab), None) or _nothing()


def _nothing() -> NoReturn:
    raise NotFound("The gallery has no such example.", f"See the list at {URL}.")


# ---- an exercise, tried ---------------------------------------------------------------------------------------


def judge_example(state: AppState, caller: Caller, exercise: Exercise, source: str, framework: str) -> SubmissionResult:
    """As a submission is judged; nothing is stored. Raises Invalid, RateLimited, JudgeCannotRun.

    It takes a box as a lesson's cell does, and counts as one.
    """
    if framework not in exercise.frameworks:
        raise Invalid(f"This exercise is not for {framework[:40]!r}.", f"Use {', '.join(exercise.frameworks)}.")
    if len(source.encode("utf-8", "surrogatepass")) > state.settings.source_max_kb << 10:
        raise Invalid("Your code is too long.", f"It may have at most {state.settings.source_max_kb} KB.")
    with state.db.reading() as db:
        viewer = caller.viewer(db)
    person, address = viewer.id if viewer else None, caller.address
    state.limits.spend("cell", person=person, address=address)
    hint = "Your code is still here. Try again in a moment."
    if state.elsewhere is None and (state.judge is None or state.judge.why_not()):
        raise JudgeCannotRun("This server cannot run code right now.", hint, headers={"Retry-After": "60"})
    with state.limits.holding("cell", person=person, address=address):
        try:
            if state.elsewhere is not None:
                return state.elsewhere.grade(exercise, source, framework, neighbourhood(address)).result
            assert state.judge is not None
            events = grade(exercise, source.encode("utf-8", "replace"), framework, state.judge)
            return next(event.result for event in events if isinstance(event, Finished))
        except (Busy, BoxLost, JudgeUnavailable):
            raise JudgeCannotRun("No sandbox was free to run this.", hint, headers={"Retry-After": "5"}) from None

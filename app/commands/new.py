"""`new`: an exercise, a lesson or a course that passes `check` as it is. The files are in `scaffolds/`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.installation import read_settings
from app.commands.terminal import say, stop

if TYPE_CHECKING:
    from app.teaching.beginnings import Template

new = typer.Typer(help="Start an exercise, a lesson or a course that passes `check`.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="SLUG", help="Lower case, words joined with hyphens.")]
Into = Annotated[Path | None, typer.Option(help="The folder to make it in; default: the first of the settings.")]


@new.command("exercise")
def new_exercise(slug: Name, into: Into = None) -> None:
    """Make exercises/SLUG: statement, starter, reference, cases and two mistakes."""
    _require_slug(slug)
    _write_exercise(into or read_settings().exercises[0], slug)
    say(f"Then: ./lectern check {(into or read_settings().exercises[0]) / slug}")


@new.command("lesson")
def new_lesson(
    slug: Name,
    course: Annotated[str | None, typer.Option(help="The course's folder name; default: the only course.")] = None,
    into: Into = None,
    quiz: Annotated[bool, typer.Option("--quiz", help="A quiz, which is a lesson of its own kind.")] = False,
) -> None:
    """Make the next lesson of a course: lessons/COURSE/NN-SLUG.md."""
    _require_slug(slug)
    folder = _course_folder([into] if into else list(read_settings().lessons), course)
    _write_lesson(folder, slug, "quiz" if quiz else "lesson")
    say(f"Then: ./lectern check {folder}")


@new.command("course")
def new_course(
    slug: Name,
    into: Into = None,
    repository: Annotated[
        bool, typer.Option("--repository", help="A folder of its own, with exercises, a README and a workflow.")
    ] = False,
) -> None:
    """Make lessons/SLUG with a first lesson; with --repository, a repository SLUG in this folder."""
    _require_slug(slug)
    if repository:
        _write_repository((into or Path()) / slug, slug)
        say(f"Then: read {(into or Path()) / slug / 'README.md'}")
    else:
        lessons = into or read_settings().lessons[0]
        _write_course(lessons, slug)
        say(f"Then: ./lectern check {lessons / slug}")


def _write_exercise(exercises: Path, slug: str) -> None:
    from app.teaching import beginnings

    _write_all(beginnings.new_exercise(slug), exercises / slug)
    write_schema(exercises, "exercise")


def _write_course(lessons: Path, slug: str, exercise: str | None = None) -> None:
    from app.teaching import beginnings

    _write_all(beginnings.new_course(slug, exercise), lessons / slug)
    write_schema(lessons, "course")


def _write_repository(folder: Path, slug: str) -> None:
    from app.teaching import beginnings

    exercise = f"{slug}-first-exercise"
    _write_all(beginnings.new_repository(slug), folder)
    _write_exercise(folder / "exercises", exercise)
    _write_course(folder / "lessons", slug, exercise)


def _write_lesson(folder: Path, slug: str, template: "Template") -> None:
    from app.teaching import beginnings

    try:
        name, content = beginnings.new_lesson({path.name for path in folder.iterdir()}, slug, template)
    except beginnings.NameTaken:
        raise stop(False, "conflict", f"{folder} already has a lesson {slug}.", "Choose another name.") from None
    _write(folder / name, content)


def write_schema(folder: Path, kind: str) -> None:
    """Beside the folders of this kind: where the `#:schema` line of each looks for it."""
    from app.content.schema import schema_text

    (folder / f"{kind}.schema.json").write_text(schema_text(kind))


def _course_folder(roots: list[Path], course: str | None) -> Path:
    found = [path.parent for root in roots for path in sorted(root.glob("*/course.toml"))]
    named = [path for path in found if course in (None, path.name)]
    if len(named) != 1:
        names = ", ".join(path.name for path in found) or "none: make one with ./lectern new course SLUG"
        message = f"There is no course {course}." if course else "Which course?"
        raise stop(False, "not_found", message, f"Name it with --course. The courses are: {names}.")
    return named[0]


def _require_slug(slug: str) -> None:
    from app.teaching import beginnings

    if not beginnings.is_slug(slug):
        hint = "Use lower case, and join words with hyphens: softmax-over-rows."
        raise stop(False, "invalid", f"{slug!r} is not a name.", hint)


def _write_all(files: Mapping[str, bytes], folder: Path) -> None:
    if folder.exists() or folder.is_symlink():
        raise stop(False, "conflict", f"{folder} already exists.", "Choose another name, or remove it.")
    for path, content in files.items():
        _write(folder / path, content)


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise stop(
            False, "forbidden", f"Cannot write {path}: {error.strerror}.", "Choose a folder with --into."
        ) from None
    say(str(path))

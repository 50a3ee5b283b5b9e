"""Folders that once stopped the server, hung it, or crashed `check`: each makes one course or exercise that is bad."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COVER = 'title = "A course"\nblurb = "On something."\n'
SHIPPED = ROOT / "exercises" / "softmax-rows"


def course(folder: Path, body: str = "Some words.\n", head: str = "title: A lesson", cover: str = COVER) -> Path:
    folder.mkdir(parents=True)
    (folder / "course.toml").write_text(cover, encoding="utf-8")
    (folder / "01-a.md").write_text(f"---\n{head}\n---\n{body}", encoding="utf-8")
    return folder


def exercise(folder: Path, **changed: str) -> Path:
    """`softmax-rows`, with `exercise_toml=…` put in for its file."""
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in changed.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text, encoding="utf-8")
    return folder


def toml(line: str) -> str:
    """softmax-rows' exercise.toml with one more line at its top."""
    return f"{line}\n{(SHIPPED / 'exercise.toml').read_text()}"


def nested(depth: int) -> str:
    openings = "".join(f"{':' * (3 + depth - n)}{{note}}\n" for n in range(depth))
    return openings + "Words.\n" + "".join(f"{':' * (3 + n + 1)}\n" for n in range(depth))


def _not_utf8(folder: Path) -> None:
    course(folder)
    (Path(os.fsdecode(os.fsencode(folder) + b"/02-\xff.md"))).write_bytes(b"---\ntitle: B\n---\n")


def _pipe(folder: Path) -> None:
    course(folder)
    os.mkfifo(folder / "02-b.md")


def _exercise_pipe(folder: Path) -> None:
    exercise(folder)
    (folder / "hints.md").unlink()
    os.mkfifo(folder / "hints.md")


def _sparse(folder: Path) -> None:
    course(folder)
    with (folder / "02-b.md").open("wb") as file:
        file.truncate(1 << 40)


def _deep(folder: Path) -> None:
    course(folder)
    (folder / "/".join(["a"] * 40)).mkdir(parents=True)
    (folder / "/".join(["a"] * 40) / "b.txt").write_text("x")


def _many(folder: Path) -> None:
    course(folder)
    for n in range(3000):
        (folder / f"{n}.txt").touch()


def _long_name(folder: Path) -> None:
    course(folder)
    parent = folder / ("x" * 200) / ("y" * 200)
    parent.mkdir(parents=True)
    (parent / ("z" * 200)).write_text("x")


def _bytes(content: bytes) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        course(folder)
        (folder / "01-a.md").write_bytes(content)

    return make


LESSON = b"---\ntitle: A\n---\nWords.\n"

# What no folder may have: it is not read, or not to its end.
UNREADABLE: dict[str, Callable[[Path], object]] = {
    "file-name-not-utf8": _not_utf8,
    "pipe": _pipe,
    "exercise-pipe": _exercise_pipe,
    "sparse-terabyte": _sparse,
    "deep-folders": _deep,
    "many-files": _many,
    "long-path": _long_name,
    "lesson-of-a-megabyte": lambda folder: course(folder, "Some words. " * 90_000),
    "exercise-toml-brackets": lambda folder: exercise(folder, exercise_toml=toml(f"tags = {'[' * 50_000}")),
    "exercise-toml-dots": lambda folder: exercise(folder, exercise_toml=toml(f"{'a.' * 20_000}a = 1")),
    "exercise-toml-tables": lambda folder: exercise(folder, exercise_toml=toml("a = " + "{a = " * 5_000)),
    "exercise-toml-digits": lambda folder: exercise(folder, exercise_toml=toml(f"x = {'9' * 5_000}")),
    "exercise-toml-hexadecimal": lambda folder: exercise(
        folder, exercise_toml=toml(f"x = 0x{'f' * 20_000}").replace("minutes", "# minutes")
    ),
    "exercise-toml-huge": lambda folder: exercise(folder, exercise_toml=toml("# words\n" * 100_000)),
    "exercise-type-nested": lambda folder: exercise(
        folder, exercise_toml=toml("").replace('returns = "', f'returns = "{"tuple[" * 3_000}')
    ),
    "exercise-nul": lambda folder: exercise(folder, statement_md="Words\0.\n"),
    "exercise-utf16": lambda folder: (exercise(folder) / "statement.md").write_bytes("Words".encode("utf-16")),
    "exercise-deep-python": lambda folder: exercise(folder, reference_py="x = " + "-" * 200_000 + "1\n"),
}

# What is wrong in a course that is served all the same, with the line that `check` names.
FAULTY: dict[str, tuple[Callable[[Path], object], int | None]] = {
    "nested-notes": (lambda folder: course(folder, nested(250)), 11),
    "front-matter-brackets": (lambda folder: course(folder, head="title: A\nx: " + "[" * 50_000), 1),
    "front-matter-few-brackets": (lambda folder: course(folder, head="title: A\nx: " + "[" * 5_000), 3),
    "front-matter-aliases": (lambda folder: course(folder, head="title: A\nx: &a [*a, *a]"), 3),
    "front-matter-laughs": (
        lambda folder: course(
            folder,
            head="a: &a [x]\n"
            + "\n".join(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        ),
        2,
    ),
    "front-matter-tag": (lambda folder: course(folder, head="title: !!python/object:os.system x"), 2),
    "empty-link": (lambda folder: course(folder, "See [text]().\n"), 4),
    "empty-picture": (lambda folder: course(folder, "See ![text]().\n"), 4),
    "cover-brackets": (lambda folder: course(folder, cover=COVER + "x = " + "[" * 30_000), 3),
    "cover-digits": (lambda folder: course(folder, cover=COVER + "authors = [" + "9" * 5_000 + "]"), 3),
    "cover-hexadecimal": (lambda folder: course(folder, cover=COVER + "authors = [0x" + "f" * 20_000 + "]"), 3),
    "cover-not-text": (lambda folder: course(folder, cover="title = 2026-02-30\n"), 1),
    "nul": (_bytes(LESSON + b"a\0b\n"), 5),
    "utf16": (_bytes("---\ntitle: A\n---\nWords\n".encode("utf-16")), 1),
    "not-utf8": (_bytes(LESSON + b"\xff\xfe\n"), 5),
}

# What was a fault, a crash or minutes of work, and is sound.
SOUND: dict[str, Callable[[Path], object]] = {
    "summary-is-a-date": lambda folder: course(folder, head="title: A lesson\nsummary: 2026-02-30"),
    "title-is-a-date": lambda folder: course(folder, head="title: 2026-01-01T99:99:99Z"),
    "zeros-in-a-fence": lambda folder: course(folder, f'```python\n"%{"0" * 60_000}\n```\n'),
    "blank-lines-in-a-fence": lambda folder: course(folder, "```python\nx\n" + "\n" * 60_000 + "```\n"),
    "lone-carriage-returns": _bytes(b"---\rtitle: A\r---\rWords.\r"),
    "byte-order-mark": _bytes(b"\xef\xbb\xbf" + LESSON),
}

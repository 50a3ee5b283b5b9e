"""What is wrong in an exercise's folder that needs no judge: its words, and files that nothing reads."""

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import replace

from app.content.exercise import links_of, numbered_hints
from app.content.markdown import find_faults, render
from graders.exercise.definition import Exercise, KnownMistake
from graders.exercise.fault import Fault
from graders.frameworks import FRAMEWORKS

FILES = (
    "exercise.toml", "statement.md", "starter.py", "reference.py", "cases.py", "checker.py", "hints.md", "solution.md",
    "README.md",
)  # fmt: skip
PYTHON_FOLDERS = ("starters", "solutions", "mistakes", "provided")
FOLDERS = (*PYTHON_FOLDERS, "data", "figures")


def find_exercise_faults(exercise: Exercise, folder: str) -> list[Fault]:
    """Of all its variants; what is wrong in the first and in others is told once."""
    found = _faults_of(exercise, folder)
    for other in exercise.others:
        own = [fault for fault in _faults_of(other, folder) if fault not in found]
        found += [replace(fault, message=f"With {other.variant_words}: {fault.message}") for fault in own]
    return found


def _faults_of(exercise: Exercise, folder: str) -> list[Fault]:
    texts = (("statement.md", exercise.statement), ("hints.md", exercise.hints), ("solution.md", exercise.solution))
    faults = [fault for name, text in texts for fault in find_faults(text, f"{folder}/{name}", links_of(exercise))]
    return [
        *faults,
        *_word_faults(exercise, folder),
        *(fault for mistake in exercise.mistakes for fault in _feedback_faults(mistake, folder)),
        *(fault for path in exercise.files if (fault := _unread(path, exercise, folder))),
        *_lost_folders(exercise, folder),
    ]


def _word_faults(exercise: Exercise, folder: str) -> Iterator[Fault]:
    if not exercise.statement.strip():
        hint = "Say what the function gets and what it returns."
        yield Fault("error", f"{folder}/statement.md", None, "no-statement", "There is no statement.", hint)
    path, hints = f"{folder}/hints.md", exercise.hints
    numbered = numbered_hints(hints)
    if not hints.strip():
        message, hint = "There are no hints.", "Add numbered hints to hints.md, from gentle to concrete."
        yield Fault("warning", path, None, "no-hints", message, hint)
    elif not numbered:
        message = "The hints are not numbered: students open all of this at once."
        yield Fault("error", path, 1, "hints-unnumbered", message, "Begin each hint with `1. ` at the left margin.")
    elif before := hints[: numbered[0]].strip():
        line = hints[: hints.find(before)].count("\n") + 1
        message = "The text before the first hint is not shown."
        yield Fault("warning", path, line, "hints-unnumbered", message, "Make it the first hint, or remove it.")
    if not exercise.solution.strip():
        message = "There is no worked solution."
        hint = "Explain one in solution.md; students see it once they have solved the exercise."
        yield Fault("warning", f"{folder}/solution.md", None, "no-worked-solution", message, hint)
    if not exercise.mistakes:
        message = "There are no mistakes: no wrong answer will be recognised."
        hint = "Add the wrong answers that you expect to mistakes/, with what to tell those students."
        yield Fault("warning", f"{folder}/mistakes", None, "no-mistakes", message, hint)


# ---- what a mistake's docstring tells ----------------------------------------------------------------------------


_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[abfnrtvxuUN0-7]\w*")


def _feedback_faults(mistake: KnownMistake, folder: str) -> Iterator[Fault]:
    r"""Its mathematics, and its backslashes: in a string that is not raw, `\times` is a tab and `imes`."""
    path, tree = f"{folder}/{mistake.source.path}", ast.parse(mistake.source.text)
    docstring = tree.body[0]
    written = ast.get_source_segment(mistake.source.text, docstring) or ""
    if written[:1] not in "rR" and (escape := _ESCAPE.search(written)):
        line = docstring.lineno + written.count("\n", 0, escape.start())
        message = f"`{escape[0]}` in this docstring is read as an escape, not as mathematics."
        yield Fault("error", path, line, "docstring-escape", message, 'Begin it with r""" instead of """.')
        return
    text = ast.get_docstring(tree, clean=False) or ""
    for fault in render(text, path=path, first_line=docstring.lineno).faults:
        if fault.code in ("math", "formula", "dollar", "misread"):
            yield fault


# ---- files that nothing reads ------------------------------------------------------------------------------------


def _unread(path: str, exercise: Exercise, folder: str) -> Fault | None:
    """A file that stands where nothing looks for it; a folder of such files is one fault of its own."""
    top, _, rest = path.partition("/")
    if rest and top not in FOLDERS:
        return None
    if not rest and path not in FILES:
        meant = difflib.get_close_matches(path, FILES, 1)
        return _unread_fault(f"{folder}/{path}", "file", meant, path)
    if top in PYTHON_FOLDERS and not rest.endswith(".py"):
        hint = f"Only .py files are read in {top}/: rename it, or remove it."
        return Fault("warning", f"{folder}/{path}", None, "unread-file", "Nothing reads this file.", hint)
    if top == "starters" and rest.removesuffix(".py") not in exercise.frameworks:
        frameworks = [f"{name}.py" for name in exercise.frameworks]
        is_known = rest.removesuffix(".py") in FRAMEWORKS
        hint = (
            f"Add {rest.removesuffix('.py')!r} to `frameworks`." if is_known else f"Name it {' or '.join(frameworks)}."
        )
        return Fault("error", f"{folder}/{path}", None, "unread-file", "No framework has this starter.", hint)
    return None


def _lost_folders(exercise: Exercise, folder: str) -> Iterator[Fault]:
    tops = {path.partition("/")[0] for path in exercise.files if "/" in path}
    for top in sorted(tops - set(FOLDERS)):
        yield _unread_fault(f"{folder}/{top}", "folder", difflib.get_close_matches(top, FOLDERS, 1), top)


def _unread_fault(path: str, what: str, meant: list[str], name: str) -> Fault:
    """A name that is nearly one of ours is a slip, whose files are missing elsewhere; any other may be on purpose."""
    if meant:
        message = f"Nothing reads the {what} {name}."
        return Fault("error", path, None, "unread-file", message, f"Rename it {meant[0]}.")
    known = ", ".join(FOLDERS if what == "folder" else FILES)
    message = f"Nothing reads the {what} {name}."
    return Fault("warning", path, None, "unread-file", message, f"Remove it. The {what}s that are read: {known}.")

"""What is wrong in an exercise's folder that needs no judge: its words, and files that nothing reads, by class."""

import pytest

from app.content.exercise_faults import find_exercise_faults
from graders.exercise.fault import Fault
from graders.exercise.reader import exercise_from_files

TOML = """title = "Softmax"
entry = "softmax"
frameworks = ["numpy"]
[signature]
x = "float32[N]"
returns = "float32[N]"
"""
RIGHT = {
    "exercise.toml": TOML,
    "statement.md": "Double it: $2x$.\n",
    "starter.py": "def softmax(x):\n    return None\n",
    "reference.py": "def softmax(x):\n    return x\n",
    "cases.py": "",
    "hints.md": "1. First.\n2. Second.\n",
    "solution.md": "So.\n",
    "mistakes/one.py": '"""You get $x$."""\n\n\ndef softmax(x):\n    return 0 * x\n',
}


def found(**changed: str) -> list[Fault]:
    """`mistakes__one_py` is mistakes/one.py; an empty text for a mistake removes it."""
    names = {f"{name.replace('__', '/').rpartition('_')[0]}.{name.rpartition('_')[2]}": text
             for name, text in changed.items()}  # fmt: skip
    files = {**RIGHT, **names}
    if not files["mistakes/one.py"]:
        del files["mistakes/one.py"]
    exercise = exercise_from_files("softmax", {name: text.encode() for name, text in files.items()})
    return find_exercise_faults(exercise, "softmax")


def test_the_right_one_has_none() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("changed", "path", "line", "code", "severity"),
    [
        ({"statement_md": " \n"}, "statement.md", None, "no-statement", "error"),
        ({"statement_md": "A <b>bold</b> one"}, "statement.md", 1, "html", "warning"),
        ({"hints_md": "- One.\n- Two.\n"}, "hints.md", 1, "hints-unnumbered", "error"),
        ({"hints_md": "One.\n\nTwo.\n"}, "hints.md", 1, "hints-unnumbered", "error"),
        ({"hints_md": "Try these:\n\n1. One.\n"}, "hints.md", 1, "hints-unnumbered", "warning"),
        ({"hints_md": ""}, "hints.md", None, "no-hints", "warning"),
        ({"solution_md": ""}, "solution.md", None, "no-worked-solution", "warning"),
        ({"mistakes__one_py": ""}, "mistakes", None, "no-mistakes", "warning"),
        ({"mistakes__one_py": '\n"""Not\n$\\\\frac{1$."""\n'}, "mistakes/one.py", 3, "math", "error"),
        ({"mistakes__one_py": '"""Not $\\times$."""\n'}, "mistakes/one.py", 1, "docstring-escape", "error"),
        ({"mistakes__one_py": '"""Lone $ here."""\n'}, "mistakes/one.py", 1, "dollar", "error"),
        ({"mistake__two_py": "x"}, "mistake", None, "unread-file", "error"),
        ({"solution__two_py": "x"}, "solution", None, "unread-file", "error"),
        ({"hint_md": "x"}, "hint.md", None, "unread-file", "error"),
        ({"notes__of_md": "x", "notes__two_md": "y"}, "notes", None, "unread-file", "warning"),
        ({"plan_txt": "x"}, "plan.txt", None, "unread-file", "warning"),
        ({"solutions__numpy_txt": "x"}, "solutions/numpy.txt", None, "unread-file", "warning"),
        ({"starters__pytroch_py": "x"}, "starters/pytroch.py", None, "unread-file", "error"),
    ],
)  # fmt: skip
def test_each_class_is_one_fault(
    changed: dict[str, str], path: str, line: int | None, code: str, severity: str
) -> None:
    (fault,) = found(**changed)
    assert (fault.path, fault.line, fault.code, fault.severity) == (f"softmax/{path}", line, code, severity)
    assert fault.hint


def test_a_starter_in_a_framework_that_is_not_offered_is_told_how_to_offer_it() -> None:
    (fault,) = found(starters__torch_py="x")
    assert "frameworks" in fault.hint


def test_a_raw_docstring_may_hold_any_formula() -> None:
    assert found(mistakes__one_py='r"""Not $\\times$ but $\\frac{1}{2}$,\n\tnor \\(x\\)."""\n') == []
    assert found(mistakes__one_py='r"""Not $\\times$ but $\\frac{1}{2}$, nor \\(x\\)."""\n') == []

"""Foreign formats: samples in their layouts become our folders, and what has no counterpart is refused with why."""

import json
import tomllib
from pathlib import Path

import pytest

from app.content.formats.kind import Item, Refused
from app.content.formats.table import FORMATS, format_of

from . import foreign


def read(path: Path) -> list[Item | Refused]:
    found = format_of(path)
    assert found is not None
    return list(found.items(path))


def only(path: Path) -> Item:
    (item,) = read(path)
    assert isinstance(item, Item), item
    return item


def refusal(path: Path) -> str:
    (item,) = read(path)
    assert isinstance(item, Refused)
    return item.why


def text(item: Item, name: str) -> str:
    return item.files[name].decode()


def toml(item: Item) -> dict[str, object]:
    return tomllib.loads(text(item, "exercise.toml"))


def test_each_format_recognises_its_own_and_nothing_else(tmp_path: Path) -> None:
    samples = {
        "deep-ml": foreign.deep_ml(tmp_path / "d"),
        "exercism": foreign.exercism(tmp_path / "e"),
        "nbgrader": foreign.nbgrader(tmp_path / "n" / "week.ipynb"),
        "otter": foreign.otter(tmp_path / "o" / "lab.ipynb"),
    }
    assert samples.keys() <= FORMATS.keys()
    for name, path in samples.items():
        assert [format_.NAME for format_ in FORMATS.values() if format_.recognises(path)] == [name]
        assert [format_.NAME for format_ in FORMATS.values() if format_.recognises(path.parent)] == [name]
    (tmp_path / "empty").mkdir()
    assert format_of(tmp_path / "empty") is None
    assert format_of(Path(__file__)) is None


# ------------------------------------------------------------------ Deep-ML


def test_a_deep_ml_problem_is_a_folder_of_scripts(tmp_path: Path) -> None:
    item = only(foreign.deep_ml(tmp_path))
    assert (item.name, item.warnings) == ("sum-of-squares", ())
    assert toml(item) == {
        "title": "Sum of squares", "entry": ["total"], "difficulty": "easy", "tags": ["vectors"],
        "frameworks": ["numpy"],
    }  # fmt: skip
    assert text(item, "cases.py") == (
        'def sample_cases(rng):\n    yield "test 1", script("total([1, 2])")\n\n\n'
        "def hidden_cases(rng):\n"
        '    yield "test 2", script("""import numpy as np\nx = np.array([1.5, 2.0])\ntotal(x)""")\n'
    )
    assert "Return the sum of the squares" in text(item, "statement.md")
    assert "never negative" in text(item, "solution.md")
    assert "6.25" not in "".join(map(bytes.decode, item.files.values()))


def test_the_json_that_deep_ml_builds_is_the_same_problem(tmp_path: Path) -> None:
    folder = foreign.deep_ml(tmp_path)
    built = {
        **json.loads((folder / "meta.json").read_text()),
        "description": (folder / "description.md").read_text(),
        "learn_section": (folder / "learn.md").read_text(),
        "starter_code": (folder / "starter_code.py").read_text(),
        "solution": (folder / "solution.py").read_text(),
        "example": json.loads((folder / "example.json").read_text()),
        "test_cases": json.loads((folder / "tests.json").read_text()),
    }
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "7.json").write_text(json.dumps(built))
    assert only(tmp_path / "build").files == only(folder).files


def test_two_problems_of_one_title_get_two_addresses(tmp_path: Path) -> None:
    foreign.deep_ml(tmp_path / "questions", "7_sum")
    foreign.deep_ml(
        tmp_path / "questions", "12_sum", {"meta.json": json.dumps({"id": "12", "title": "Sum of Squares"})}
    )
    assert [item.name for item in read(tmp_path)] == ["sum-of-squares", "sum-of-squares-12"]


def test_a_starter_that_does_not_compile_is_made_whole(tmp_path: Path) -> None:
    broken = "import math\n\nLIMIT = 3\n\ndef total(values):\n\n\n"
    item = only(foreign.deep_ml(tmp_path, changes={"starter_code.py": broken}))
    assert text(item, "starter.py") == "import math\n\n\nLIMIT = 3\n\n\ndef total(values):\n    pass\n"
    assert item.warnings == ("Its starter does not compile: what does was kept, the rest made empty.",)


def test_a_solution_that_leans_on_its_starter_stands_alone(tmp_path: Path) -> None:
    changes = {
        "starter_code.py": "def squared(x):\n    return x * x\n\n\ndef total(values):\n    pass\n",
        "solution.py": "def total(values):\n    return np.sum([squared(x) for x in values])\n",
    }
    reference = text(only(foreign.deep_ml(tmp_path, changes=changes)), "reference.py")
    assert reference.startswith("import numpy as np\n")
    assert "def squared(x):" in reference


def test_a_solution_that_does_not_compile_is_kept_to_be_flagged(tmp_path: Path) -> None:
    item = only(foreign.deep_ml(tmp_path, changes={"solution.py": "def total(values:\n    return 1\n"}))
    assert toml(item)["entry"] == ["total"]
    assert text(item, "reference.py").startswith("def total(values:")


def test_a_test_that_shows_nothing_of_the_students_is_left_out(tmp_path: Path) -> None:
    tests = [
        {"test": "print(total([1]))", "expected_output": "1"},
        {"test": "print('done')", "expected_output": "done"},
        {"test": "print(total([1)", "expected_output": "1"},
    ]
    item = only(foreign.deep_ml(tmp_path, changes={"tests.json": json.dumps(tests)}))
    assert item.warnings == (
        "Test 2 prints nothing of the student's; this test is left out.",
        "Test 3 does not compile; this test is left out.",
    )


def test_tests_that_only_ask_which_is_larger_are_pointed_out(tmp_path: Path) -> None:
    orders = {"test": "print(total([1]) < total([2]))", "expected_output": "True"}
    value = {"test": "print(total([1]))", "expected_output": "1"}
    for tests, count in (([orders, orders], 1), ([orders, value], 0)):
        item = only(foreign.deep_ml(tmp_path / str(count), changes={"tests.json": json.dumps(tests)}))
        assert len([text for text in item.warnings if "which of two answers is larger" in text]) == count


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("tests.json", "[{]", "tests.json is not JSON"),
        ("tests.json", "{}", "Its tests are no list"),
        ("tests.json", "[]", "None of its tests can be a script: there are none"),
        ("meta.json", '{"title": "!"}', "It has no title to make an address of"),
    ],
)
def test_a_problem_that_cannot_be_read_is_refused(tmp_path: Path, name: str, content: str, why: str) -> None:
    assert why in refusal(foreign.deep_ml(tmp_path, changes={name: content}))


def test_what_tests_expect_is_compared_with_what_the_solution_prints(tmp_path: Path) -> None:
    own = only(foreign.deep_ml(tmp_path)).own_tests
    assert own is not None
    assert own.count == 2
    assert own.disagreements([["5\n", None], ["np.float64(6.2500)\n", None]]) == []
    assert own.disagreements([["5.004\n", None], ["6.25\n", None]]) == [
        "Test 1 expects '5', but the solution prints '5.004'"
    ]
    assert own.disagreements([[None, "NameError: no"], ["6.254\n", None]]) == ["Test 1 ends in NameError: no"]
    assert own.disagreements(None) == ["Its tests did not run to their end"]


# ------------------------------------------------------------------ Exercism


def test_an_exercism_exercise_is_a_folder_of_scripts(tmp_path: Path) -> None:
    item = only(foreign.exercism(tmp_path))
    assert (item.name, item.warnings) == ("tiny-stack", ())
    assert toml(item) == {
        "title": "Tiny stack", "entry": ["EMPTY", "Stack"], "difficulty": "medium", "tags": ["python"],
        "frameworks": ["python"], "raises": ["ValueError"], "messages": True,
    }  # fmt: skip
    assert text(item, "statement.md") == "Write a stack.\n"
    cases = text(item, "cases.py")
    assert 'script("""stack = Stack()\n_ = stack.push(3)\nstack.pop()""")' in cases
    assert "stack = filled([1, 2, 3])\n[stack.pop(), stack.pop()]\nstack.is_empty()" in cases
    assert 'yield "empty is the constant", script("Stack().top() == EMPTY")' in cases
    assert 'yield "pop of nothing", script("Stack().pop()")' in cases


def test_a_whole_track_is_read_in_order(tmp_path: Path) -> None:
    practice = tmp_path / "exercises" / "practice"
    foreign.exercism(practice)
    (practice / "tiny-stack").rename(practice / "other-stack")
    foreign.exercism(practice)
    assert [item.name for item in read(tmp_path)] == ["other-stack", "tiny-stack"]
    assert [item.name for item in read(practice)] == ["other-stack", "tiny-stack"]


@pytest.mark.parametrize(
    ("imported", "used"),
    [
        ("import tiny_stack", "tiny_stack."),
        ("import tiny_stack as ts", "ts."),
        ("from tiny_stack import *", ""),
        ("from tiny_stack import Stack as Pile, EMPTY", ""),
    ],
)
def test_however_tests_import_the_students_file_its_names_are_bare(tmp_path: Path, imported: str, used: str) -> None:
    tests = foreign.EXERCISM_TESTS.replace("from tiny_stack import (\n    Stack,\n    EMPTY,\n)", imported)
    tests = tests.replace("Stack()", f"{used}{'Pile' if 'Pile' in imported else 'Stack'}()")
    tests = tests.replace(", EMPTY)", f", {used}EMPTY)")
    plain = only(foreign.exercism(tmp_path / "plain"))
    item = only(foreign.exercism(tmp_path / "other", {"tiny_stack_test.py": tests}))
    assert toml(item) == toml(plain)
    assert item.files["cases.py"] == plain.files["cases.py"]


def test_a_stub_without_a_name_gets_it_empty(tmp_path: Path) -> None:
    item = only(foreign.exercism(tmp_path, {"tiny_stack.py": "class Stack:\n    pass\n"}))
    assert text(item, "starter.py") == "class Stack:\n    pass\n\n\nEMPTY = None\n"
    assert item.warnings == ("Its stub does not define EMPTY: empty ones were made from the example.",)


def test_a_helper_that_tests_import_is_provided(tmp_path: Path) -> None:
    tests = foreign.EXERCISM_TESTS.replace("import unittest", "import unittest\nfrom numbers_of_tests import THREE")
    tests = tests.replace("stack.push(3)", "stack.push(THREE)")
    files = {"tiny_stack_test.py": tests, "numbers_of_tests.py": "THREE = 3\n", "unused.py": "x = 1\n"}
    item = only(foreign.exercism(tmp_path, files))
    assert {name for name in item.files if name.startswith("provided/")} == {"provided/numbers_of_tests.py"}
    assert "from provided.numbers_of_tests import THREE\nstack = Stack()" in text(item, "cases.py")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tiny_stack_test.py": "from unittest.mock import patch\nfrom tiny_stack import Stack\n"}, "unittest.mock"),
        ({"tiny_stack_test.py": "import unittest\n"}, "imports nothing of tiny_stack.py"),
        ({"tiny_stack_test.py": "def broken(:\n"}, "tiny_stack_test.py does not compile"),
        ({".meta/config.json": "{}"}, "does not name its files"),
        ({".meta/config.json": '{"files": {"solution": "tiny_stack.py"}}'}, "does not list its files"),
        ({".meta/example.py": "def broken(:\n"}, "example.py does not compile"),
    ],
)
def test_an_exercise_that_cannot_be_scripts_is_refused(tmp_path: Path, changes: dict[str, str], why: str) -> None:
    assert why in refusal(foreign.exercism(tmp_path, changes))


def test_a_link_to_a_file_of_this_machine_is_not_followed(tmp_path: Path) -> None:
    folder = foreign.exercism(tmp_path)
    secret = tmp_path / "secret.md"
    secret.write_text("the password")
    instructions = folder / ".docs" / "instructions.md"
    instructions.unlink()
    instructions.symlink_to(secret)
    assert ".docs/instructions.md is missing" in refusal(folder)


def test_a_json_file_that_is_a_link_is_no_problem(tmp_path: Path) -> None:
    problem = {"title": "A", "solution": "def f():\n    return 1\n", "starter_code": "def f(): pass", "test_cases": []}
    (tmp_path / "outside.json").write_text(json.dumps(problem))
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "1.json").symlink_to(tmp_path / "outside.json")
    assert format_of(tmp_path / "build") is None
    assert format_of(tmp_path / "outside.json") is FORMATS["deep-ml"]


# ------------------------------------------------------------------ notebooks


def test_a_solution_cell_of_nbgrader_is_an_exercise(tmp_path: Path) -> None:
    essay, item = read(foreign.nbgrader(tmp_path / "week.ipynb"))
    assert essay == Refused("week.ipynb: essay", "nbgrader has it graded by hand.")
    assert isinstance(item, Item)
    assert (item.name, item.warnings) == ("week-scaled-mean", ())
    assert toml(item)["title"] == "Scaled mean"
    assert toml(item)["frameworks"] == ["numpy"]
    assert toml(item)["raises"] == ["TypeError"]
    assert text(item, "starter.py") == (
        "import numpy as np\n\n\nSCALE = 2.0\n\n\n"
        "def scaled_mean(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
    )
    assert "return SCALE * np.mean(x)" in text(item, "reference.py")
    samples, _, hidden = text(item, "cases.py").partition("def hidden_cases")
    assert "scaled_mean([1, 2, 3])\nscaled_mean('a')" in samples
    assert "0.1" not in samples
    assert "scaled_mean([0.1, 0.2])" in hidden


def test_a_question_of_otter_is_an_exercise(tmp_path: Path) -> None:
    item, by_hand = read(foreign.otter(tmp_path / "lab.ipynb"))
    assert by_hand == Refused("lab.ipynb: why", "Otter has it graded by hand.")
    assert isinstance(item, Item)
    assert item.name == "lab-doubled"
    assert text(item, "starter.py") == "import numpy as np\n\n\ndef doubled(x):\n    y = ...\n    ...\n"
    assert text(item, "reference.py").endswith("def doubled(x):\n    y = np.asarray(x)\n    return 2 * y\n")
    samples, _, hidden = text(item, "cases.py").partition("def hidden_cases")
    assert 'script("doubled(3)")' in samples
    assert 'script("doubled([1, 2])")' in hidden


def test_otters_regions_and_prompts_are_read(tmp_path: Path) -> None:
    source = (
        "def area(r):\n    # BEGIN SOLUTION\n    square = r * r\n    return 3 * square\n    # END SOLUTION\n"
        "half = 0.5 # SOLUTION NO PROMPT\n"
        '""" # BEGIN PROMPT\nhalf = 1\n"""; # END PROMPT\n'
    )
    path = foreign.notebook(
        tmp_path / "lab.ipynb",
        foreign.cell("raw", "# BEGIN QUESTION\nname: area"),
        foreign.cell("raw", "# BEGIN SOLUTION"),
        foreign.cell("code", source),
        foreign.cell("raw", "# END SOLUTION"),
        foreign.cell("raw", "# BEGIN TESTS"),
        foreign.cell("code", "assert area(2) == 12\nassert half == 0.5"),
        foreign.cell("raw", "# END TESTS"),
        foreign.cell("raw", "# END QUESTION"),
    )
    item = only(path)
    assert text(item, "reference.py") == "def area(r):\n    square = r * r\n    return 3 * square\nhalf = 0.5\n"
    assert text(item, "starter.py") == "def area(r):\n    ...\n\nhalf = 1\n"
    assert item.warnings == ("None of its tests is hidden: add hidden cases.",)


def test_a_later_question_may_use_an_earlier_answer(tmp_path: Path) -> None:
    def asked(name: str, body: str, test: str) -> list[dict[str, object]]:
        solution = f"def {name}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
        return [
            foreign.cell("code", solution, grade=False, solution=True, grade_id=name),
            foreign.cell("code", test, grade=True, solution=False, grade_id=f"test-{name}"),
        ]

    path = foreign.notebook(
        tmp_path / "two.ipynb",
        *asked("twice", "return 2 * x", "assert twice(2) == 4"),
        *asked("four_times", "return twice(twice(x))", "assert four_times(1) == twice(2)"),
    )
    first, second = read(path)
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert toml(second)["entry"] == ["four_times"]
    assert "def twice(x):\n    return 2 * x" in text(second, "starter.py").replace("    \n", "")
    assert "four_times(1)" in text(second, "cases.py")
    assert "twice" not in text(first, "cases.py").replace("twice(2)", "").replace("test-twice", "")


@pytest.mark.parametrize("content", ["", "[]", '{"cells": 3}', '{"cells": [{"source": 1}]}', '{"worksheets": []}'])
def test_a_notebook_that_cannot_be_read_is_refused_beside_others(tmp_path: Path, content: str) -> None:
    foreign.nbgrader(tmp_path / "good.ipynb")
    (tmp_path / "a-broken.ipynb").write_text(content)
    broken, *others = read(tmp_path)
    assert isinstance(broken, Refused)
    assert "It is no notebook of format 4" in broken.why
    assert [type(item) for item in others] == [Refused, Item]

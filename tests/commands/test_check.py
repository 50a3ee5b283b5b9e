"""`lectern check`: clean on what ships, and each kind of fault named with its file and remedy."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.content.check import check_predictions
from app.content.course import course_from_files
from benchmarks.scores import SCORES, hash_of
from graders.boxes.pool import Judge

from .conftest import ROOT, Command, Said

pytestmark = pytest.mark.usefixtures("walls")
GATHER = ROOT / "exercises" / "learned-absolute-position-embedding"


@pytest.mark.extra
def test_some_of_what_ships_is_clean(lectern: Command) -> None:
    """Starters are not accepted, right answers are, and every mistake is recognised by its own text. Everything takes
    minutes: for the rest see the next test."""
    names = ("learned-absolute-position-embedding", "flax-learned-pos")
    shipped = {"LECTERN_EXERCISES": str(ROOT / "exercises"), "LECTERN_LESSONS": str(ROOT / "lessons")}
    exercises = (ROOT / "exercises" / name for name in names)
    process = lectern("check", *exercises, *(ROOT / "lessons").glob("*/"), "--json", **shipped)
    assert process.json["faults"] == []
    assert process.code == 0
    assert process.json["ok"] is True
    assert set(process.json["exercises"]) == set(names)
    for slug, counts in process.json["exercises"].items():
        assert counts.keys() == {"mutants", "killed", "equivalent"}
        assert counts["mutants"] > 0, slug
        assert counts["killed"] >= 0.95 * (counts["mutants"] - counts["equivalent"]), slug
        assert 3 * counts["equivalent"] <= counts["mutants"], slug


def test_all_that_ships_was_checked_as_it_is() -> None:
    """After a change: `.venv/bin/python -P -m benchmarks.scores`."""
    rows = re.findall(
        r"^\| ([\w-]+) \| (\d+) \| (\d+) \| (\d+) \| \d+% \| `(\w+)` \|$", SCORES.read_text(), re.MULTILINE
    )
    shipped = {path.parent.name for path in (ROOT / "exercises").glob("*/exercise.toml")}
    assert {slug: files for slug, _, _, _, files in rows} == {slug: hash_of(slug) for slug in shipped}
    for slug, mutants, killed, equivalent, _ in rows:
        assert int(killed) >= 0.95 * (int(mutants) - int(equivalent)), slug
        assert 3 * int(equivalent) <= int(mutants), slug


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small copy to break: the NumPy part of the gather exercise."""
    copy = tmp_path / "gather"
    shutil.copytree(GATHER, copy)
    toml = (copy / "exercise.toml").read_text()
    toml = toml.partition("# What JAX may have compiled")[0].replace('["numpy", "jax", "torch"]', '["numpy"]')
    (copy / "exercise.toml").write_text(toml)
    for path in [*copy.glob("solutions/*"), *copy.glob("mistakes/*"), *copy.glob("starters/*")]:
        if path.name not in ("numpy.py", "ids-ignored.py", "ids-not-cast.py"):
            path.unlink()
    return copy


UNRELATED = ("related", "no-mistakes")  # the latter has a test of its own


def related(process: Said) -> list[dict[str, Any]]:
    return [fault for fault in process.json["faults"] if fault["code"] not in UNRELATED]


def faults(lectern: Command, folder: Path) -> dict[str, dict[str, Any]]:
    process = lectern("check", folder, "--json")
    found = {fault["code"]: fault for fault in related(process)}
    assert process.code == (1 if any(fault["severity"] == "error" for fault in found.values()) else 0)
    assert all(fault["hint"] and fault["message"] and fault["path"] for fault in found.values())
    return found


def test_the_copy_is_clean(lectern: Command, folder: Path) -> None:
    assert faults(lectern, folder) == {}


def test_each_fault_is_found(lectern: Command, folder: Path) -> None:
    right = (folder / "reference.py").read_text()
    (folder / "starters").mkdir(exist_ok=True)
    (folder / "starters" / "numpy.py").write_text(right)
    (folder / "solutions" / "wrong.py").write_text(right.replace("return ", "return 2 * "))
    (folder / "mistakes" / "none.py").write_text(f'"""This is right, in fact."""\n{right}')
    (folder / "mistakes" / "again.py").write_text((folder / "mistakes" / "ids-ignored.py").read_text())
    (folder / "statement.md").write_text("$\\frac{1$ and [there](../nowhere.md) and πŸ“– Ã©\n")
    (folder / "hints.md").write_text("")
    found = faults(lectern, folder)
    assert found["starter-accepted"]["path"].endswith("starter.py")
    assert found["not-accepted"]["path"].endswith("solutions/wrong.py")
    assert found["mistake-verdict"]["path"].endswith("mistakes/none.py")
    assert found["mistake-unrecognised"]["path"].endswith(("mistakes/again.py", "mistakes/ids-ignored.py"))
    assert "no-hints" in found
    statement = {fault["message"] for fault in found.values() if fault["path"].endswith("statement.md")}
    assert len(statement) >= 3, found


def test_a_reference_that_is_not_deterministic_is_found(lectern: Command, folder: Path) -> None:
    text = (folder / "reference.py").read_text()
    (folder / "reference.py").write_text(text.replace("return ", "import time\n    return (time.time() % 1e-7) + ", 1))
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml)
    found = faults(lectern, folder)
    assert {"not-deterministic", "broken-exercise"} & found.keys()


def test_a_tolerance_that_half_precision_passes_is_found(lectern: Command, folder: Path) -> None:
    toml = (
        (folder / "exercise.toml")
        .read_text()
        .replace("rtol = 1e-6", "rtol = 1e-2")
        .replace("atol = 1e-6", "atol = 1e-2")
    )
    (folder / "exercise.toml").write_text(toml)
    assert "tolerance-loose" in faults(lectern, folder)


@pytest.mark.extra
def test_a_framework_without_a_right_answer_is_found(lectern: Command, folder: Path) -> None:
    toml = (folder / "exercise.toml").read_text().replace('["numpy"]', '["numpy", "torch"]')
    (folder / "exercise.toml").write_text(toml)
    assert "no-solution" in faults(lectern, folder)


def test_a_broken_folder(lectern: Command, folder: Path) -> None:
    (folder / "cases.py").write_text("def sample_cases(rng):\n    yield\n")
    assert faults(lectern, folder)["broken-exercise"]["path"].endswith("cases.py")
    (folder / "reference.py").write_text("def (\n")
    assert faults(lectern, folder)["broken-exercise"]["line"] == 1


def test_a_path_that_is_not_there_is_no_verdict_on_any_exercise(lectern: Command, folder: Path, tmp_path: Path) -> None:
    missing = tmp_path / "not-there"
    process = lectern("check", folder, missing, "--json")
    assert process.code == 2
    assert process.json["error"]["code"] == "not_found"
    assert str(missing) in process.json["error"]["message"]
    assert process.json["error"]["hint"]
    assert lectern("check", tmp_path / "not-there").code == 2


def test_a_folder_with_a_name_that_is_no_slug_is_named_itself(lectern: Command, tmp_path: Path) -> None:
    folder = tmp_path / "Soft Max"
    folder.mkdir()
    (folder / "exercise.toml").write_text("")
    (fault,) = lectern("check", folder, "--json").json["faults"]
    assert fault["path"] == str(folder)
    assert "lower case" in fault["hint"]


def test_a_course_is_read_too(lectern: Command, tmp_path: Path) -> None:
    assert lectern("new", "course", "rows", "--into", tmp_path).code == 0
    course = tmp_path / "rows"
    assert faults(lectern, course) == {}
    lesson = next(course.glob("01-*.md"))
    lesson.write_text(lesson.read_text() + "\n[gone](09-gone.md) and $\\frac{1$\n")
    found = faults(lectern, course)
    assert len(found) == 2
    assert all(fault["path"].endswith(lesson.name) for fault in found.values())


CELLS = """---
title: Cells
---

:::{code-cell}
:name: fine
x = 1
:::

:::{code-cell}
:name: broken
y = 2

y / 0
:::

:::{code-cell}
:name: meant
:raises: IndexError
[][1]
:::

:::{code-cell}
:name: otherwise
:raises: KeyError
[][1]
:::

:::{code-cell}
:name: ends-well
:raises: ValueError
x = 1
:::
"""


PREDICTIONS = """---
title: Predictions
kind: quiz
---

::::{question} true
:type: predict
:given: n = 2 | 3
:answer: ({{n}}, 3)
What is printed?
```python
import numpy as np
print(np.zeros(({{n}}, 3)).shape)
```
:::{explain}
Its shape.
:::
::::

::::{question} false-for-three
:type: predict
:given: n = 2 | 3
:answer: 4
What is printed?
```python
print({{n}} ** 2)
```
:::{explain}
Its square.
:::
::::

::::{question} raises
:type: predict
:answer: 4
What is printed?
```python
print([][1])
```
:::{explain}
Nothing.
:::
::::

::::{question} garbled
:type: choice
Which is it? It wasnâ€™t said.
- [x] One with \\frac{1}{2} -- Yes.
- [ ] Another -- It is \\alpha here.
:::{explain}
It is cafÃ©.
:::
::::
"""


def test_a_cell_or_an_output_that_is_not_as_it_says_is_a_fault_with_its_line(lectern: Command, tmp_path: Path) -> None:
    course = tmp_path / "cells"
    course.mkdir()
    (course / "course.toml").write_text('title = "Cells"\nblurb = "Code to run"\n')
    (course / "01-cells.md").write_text(CELLS)
    (course / "02-predictions.md").write_text(PREDICTIONS, encoding="utf-8")
    process = lectern("check", course, "--json")
    assert process.code == 1
    of_questions = [fault for fault in process.json["faults"] if fault["path"].endswith("02-predictions.md")]
    found = {(fault["code"], fault["line"]): fault for fault in process.json["faults"] if fault not in of_questions}
    lines = CELLS.splitlines()
    divides, otherwise = lines.index("y / 0") + 1, lines.index(":raises: KeyError") + 2
    ends_well = lines.index(":raises: ValueError") + 2
    assert found.keys() == {("cell-raises", divides), ("cell-raises", otherwise), ("cell-ends-well", ends_well)}
    assert all(fault["path"].endswith("01-cells.md") and fault["severity"] == "error" for fault in found.values())
    assert "The cell broken ends in ZeroDivisionError" in found["cell-raises", divides]["message"]
    assert "`:raises: ZeroDivisionError`" in found["cell-raises", divides]["hint"]
    written = PREDICTIONS.splitlines()
    wrong, raises = written.index("::::{question} false-for-three") + 1, written.index("::::{question} raises") + 1
    assert {(fault["code"], fault["line"]) for fault in of_questions} == {
        ("predict-wrong", wrong),
        ("predict-raises", raises),
        *(("misread", written.index(line) + 1) for line in written if "â€™" in line or "Ã©" in line),
        *(("formula", written.index(line) + 1) for line in written if "\\" in line),
    }
    message = next(fault["message"] for fault in of_questions if fault["code"] == "predict-wrong")
    assert "for n = 3" in message
    assert "prints `9`" in message
    assert message.endswith("\n-4\n+9")


def test_an_output_that_no_box_can_print_is_not_verified_and_it_is_said(tmp_path: Path) -> None:
    text = PREDICTIONS.split("::::{question} false")[0].replace(":given:", ":framework: torch\n:given:")
    course = course_from_files("demo", {"course.toml": b'title = "A"\nblurb = "B"\n', "01-a.md": text.encode()})
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:  # one that runs no PyTorch
        found = check_predictions(course, judge)
    assert [(fault.severity, fault.code) for fault in found] == [("warning", "predict-unverified")]
    assert "does not run torch" in found[0].message


def test_a_key_is_named_as_it_was_written(lectern: Command, folder: Path) -> None:
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace("minutes ", "minuts "))
    assert faults(lectern, folder)["broken-exercise"]["message"] == "`minuts` is not a key of exercise.toml."


def test_a_mistake_that_fails_in_another_way_is_told_how_to_say_so(lectern: Command, folder: Path) -> None:
    mistake = folder / "mistakes" / "ids-ignored.py"
    mistake.write_text(mistake.read_text().replace("return ", "return missing_name or "))
    hint = faults(lectern, folder)["mistake-verdict"]["hint"]
    assert "`# verdict: runtime_error`" in hint


@pytest.mark.parametrize("name", ["statement.md", "mistakes/ids-ignored.py", "mistakes", "exercise.toml"])
def test_a_file_is_checked_with_what_it_belongs_to(lectern: Command, folder: Path, name: str) -> None:
    (folder / "statement.md").write_text("A lone $ here.\n")
    found = faults(lectern, folder / name)
    assert found.keys() == {"dollar"}
    assert found["dollar"]["path"] == str(folder / "statement.md")


def test_a_lesson_is_checked_with_its_course(lectern: Command, tmp_path: Path) -> None:
    course = tmp_path / "course"
    course.mkdir()
    (course / "course.toml").write_text('title = "A"\nblurb = "B"\n')
    (course / "01-a.md").write_text("---\ntitle: A\n---\n[gone](09-gone.md)\n")
    for name in ("01-a.md", "course.toml"):
        assert faults(lectern, course / name)["link"]["path"] == str(course / "01-a.md")
    (tmp_path / "stray.md").write_text("x")
    assert lectern("check", tmp_path / "stray.md", "--json").json["faults"][0]["code"] == "nothing"


def test_all_faults_of_a_toml_file_are_told_at_once(lectern: Command, folder: Path) -> None:
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace("minutes ", "minuts ") + "\n[limit]\nwall_seconds = 3\n")
    process = lectern("check", folder, "--json")
    assert [fault["message"] for fault in process.json["faults"]] == [
        "`minuts` is not a key of exercise.toml.", "`limit` is not a key of exercise.toml.",
    ]  # fmt: skip
    assert all(fault["line"] for fault in process.json["faults"])


# ------------------------------------------------------------------ mutants, tolerance, limits

TOML = """
title = "Row sums"
entry = "solve"
frameworks = ["numpy"]
[signature]
x = "float32[N, C]"
returns = "float32[N]"
"""
REFERENCE = "import numpy as np\n\n\ndef solve(x):\n    return x.sum(axis=1)\n"
WEAK = "[[1.1, 2.2], [2.2, 1.1]]"
STRONG = "[[1.1, 5.3], [2.2, 0.7]]"


# No richer than `x` itself: what it cannot tell apart, this cannot either.
DRAWN = "    yield 'drawn', {'x': (np.array(X) * rng.uniform(1, 2)).astype(np.float32)}\n"


def write(
    tmp_path: Path, x: str = STRONG, toml: str = "", reference: str = REFERENCE, drawn: str = DRAWN, **more: str
) -> Path:
    """A small exercise of a sample and two hidden cases, all of `x`. `more` are files: `solutions__other`."""
    folder = tmp_path / "row-sums"
    generators = (("sample_cases", ""), ("hidden_cases", "[::-1]"))
    cases = f"X = {x}\n" + "".join(
        f"def {name}(rng):\n    yield {name!r}, {{'x': np.array(X, np.float32){order}}}\n" for name, order in generators
    )
    cases += drawn
    files = {
        "exercise.toml": TOML + toml,
        "statement.md": "Sum each row.\n",
        "starter.py": "def solve(x):\n    return None\n",
        "reference.py": reference,
        "cases.py": f"import numpy as np\n{cases}",
        "hints.md": "1. Rows are the first axis.\n",
        "solution.md": "Sum over the second.\n",
        **{f"{name.replace('__', '/')}.py": text for name, text in more.items()},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_cases_that_kill_every_mutant_are_clean_and_the_report_says_so(lectern: Command, tmp_path: Path) -> None:
    folder = write(tmp_path)
    process = lectern("check", folder, "--json")
    assert (process.code, related(process), process.err) == (0, [], "")
    process = lectern("check", folder)
    assert process.code == 0
    summary = next(line for line in process.out.splitlines() if line.startswith("row-sums: "))
    assert "0 live (100%)" in summary
    assert "0 of 0 mistakes recognised" in summary
    assert "slowest call" in summary
    assert "half precision fails" in process.out
    assert "by the clock" in summary
    assert "of processor time" in summary
    assert process.out.splitlines()[-1] == "No faults, 1 warning."
    assert "There are no mistakes" in process.out
    progress = [line for line in process.err.splitlines() if line.startswith("row-sums: ")]
    assert len(progress) >= 3, "it says what it does, in a log as on a terminal"


def test_a_mutant_that_lives_is_shown_as_a_diff_with_the_nearest_case(lectern: Command, tmp_path: Path) -> None:
    folder = write(tmp_path, WEAK)
    found = faults(lectern, folder)
    lives = found["mutant-lives"]
    assert lives["severity"] == "warning"
    assert lives["path"].endswith("reference.py")
    assert lives["line"] == 5
    sentence, *diff = lives["message"].splitlines()
    assert "every case gives the same numbers" in sentence
    assert diff == ["-     return x.sum(axis=1)", "+     return x.sum(axis=0)"]
    assert "Add a case such as" in lives["hint"]
    assert "`# mutants:" in lives["hint"]
    score = found["mutation-score"]
    assert score["severity"] == "error"
    assert "at least 95% must be killed" in score["message"]
    process = lectern("check", folder)
    assert process.code == 1
    assert "    -     return x.sum(axis=1)\n    +     return x.sum(axis=0)\n" in process.out


def test_a_mutant_that_is_argued_is_shown_with_its_argument_and_out_of_the_score(
    lectern: Command, tmp_path: Path
) -> None:
    argued = REFERENCE.replace("(axis=1)", "(axis=1)  # mutants: x is symmetric here")
    folder = write(tmp_path, WEAK, reference=argued)
    process = lectern("check", folder)
    assert process.code == 0
    assert process.out.splitlines()[-1] == "No faults, 1 warning.", "that there are no mistakes"
    assert "There are no mistakes" in process.out
    assert "survives, for the reason given on line 5: x is symmetric here" in process.out
    assert "+     return x.sum(axis=0)" in process.out
    assert "1 argued" in process.out
    folder = write(tmp_path, STRONG, reference=argued)
    assert faults(lectern, folder).keys() == {"stale-argument"}


@pytest.mark.extra
def test_more_than_a_third_of_equivalents_is_a_fault_and_they_are_listed(lectern: Command, tmp_path: Path) -> None:
    folder = write(tmp_path, reference=REFERENCE.replace("x.sum", "x[:9999, :9999].sum"))
    found = faults(lectern, folder)
    assert found["mutants-equivalent"]["severity"] == "error"
    process = lectern("check", folder)
    assert "equivalent on all cases and on" in process.out
    assert "    line 5, slice: return x[:9998, :9999].sum(axis=1)\n" in process.out


def test_a_right_answer_near_the_edge_of_the_tolerance_is_warned_of(lectern: Command, tmp_path: Path) -> None:
    """The values are near 3 to 6: 1e-6 + 1e-6 × 6.4 is allowed, and this one uses about 80 % of it."""
    near = REFERENCE.replace("(axis=1)", "(axis=1) * np.float32(1 + 1e-6)")
    found = faults(lectern, write(tmp_path, solutions__near=near))
    assert found.keys() == {"tolerance-tight"}
    tight = found["tolerance-tight"]
    assert "solutions/near.py is right" in tight["message"]
    assert "rtol = " in tight["hint"]
    assert tight["path"].endswith("exercise.toml")


def test_half_precision_may_pass_where_the_author_says_why(lectern: Command, tmp_path: Path) -> None:
    loose = "[tolerance]\nrtol = 0.01\natol = 0.001\n"
    found = faults(lectern, write(tmp_path, toml=loose))
    assert found["tolerance-loose"]["severity"] == "error"
    assert found["tolerance-loose"]["line"] == 8
    assert "rtol = " in found["tolerance-loose"]["hint"], "a calibrated one is suggested"
    argued = write(tmp_path, toml=loose + "# half precision passes: sums of four are exact in it\n")
    process = lectern("check", argued)
    assert process.code == 0
    assert "half precision passes, for the stated reason: sums of four are exact in it" in process.out


def test_whole_numbers_need_no_tolerance_that_half_precision_fails(lectern: Command, tmp_path: Path) -> None:
    reference = "import numpy as np\n\n\ndef solve(x):\n    return (x > 1).sum(axis=1).astype(np.float32)\n"
    process = lectern("check", write(tmp_path, "[[1.0, 2.0, 2.0], [0.5, 0.25, 3.0]]", reference=reference))
    assert process.code == 0
    assert "half precision passes, since the answers are whole numbers" in process.out


@pytest.mark.extra
def test_inputs_rounded_to_half_precision_show_what_rounded_answers_cannot(lectern: Command, tmp_path: Path) -> None:
    """Halves are exact in half precision; the values that are counted are not, and 1.0001 is no longer above 1."""
    reference = "import numpy as np\n\n\ndef solve(x):\n    return (x > 1).sum(axis=1).astype(np.float32) / 2\n"
    exact, close = ("[[1.0, 2.0, 2.0], [0.5, 0.25, 3.0]]", "[[1.0, 2.0, 2.0], [0.5, 1.0001, 3.0]]")
    assert "tolerance-loose" in faults(lectern, write(tmp_path, exact, reference=reference))
    assert "tolerance-loose" not in faults(lectern, write(tmp_path, close, reference=reference))


@pytest.mark.extra
def test_a_limit_that_a_right_answer_comes_near_is_warned_of(lectern: Command, tmp_path: Path) -> None:
    # 92 MB, once for each box that loads it: every mutant of it is called some hundred times
    large = REFERENCE.replace("\n\n\ndef", "\n\nLARGE = np.ones(12_000_000)\n\n\ndef")
    slow = (  # for the sample alone, which is the slowest call then
        "import time\n\n\ndef solve(x):\n    until = time.process_time() + 1.8 * (abs(x[0, 0] - 1.1) < 1e-6)\n"
        "    while time.process_time() < until:\n        pass\n    return x.sum(axis=1)\n"
    )
    limits = "[limits]\nwall_seconds = 8.4\nmemory_mb = 200\n"
    folder = write(tmp_path, toml=limits, reference=large, solutions__slow=slow)
    process = lectern("check", folder, "--json")
    near = [fault for fault in process.json["faults"] if fault["code"] == "headroom"]
    assert {fault["severity"] for fault in near} == {"warning"}
    about = {(fault["message"].partition(" ")[0], fault["line"]) for fault in near}
    assert ("reference.py", 10) in about, "memory_mb"
    assert ("solutions/slow.py", 9) in about, "wall_seconds"
    assert all(fault["path"].endswith("exercise.toml") and fault["hint"].startswith("Set ") for fault in near)


def test_a_reference_that_remembers_its_last_call_is_found(lectern: Command, tmp_path: Path) -> None:
    reference = (
        "import numpy as np\n\ncalls = []\n\n\ndef solve(x):\n    calls.append(1)\n"
        "    return (x.sum(axis=1) + len(calls) // 3).astype(np.float32)\n"
    )
    found = faults(lectern, write(tmp_path, reference=reference))["not-deterministic"]
    assert "the second time in one box" in found["message"]
    assert found["path"].endswith("reference.py")


def test_cases_that_are_drawn_from_elsewhere_are_found(lectern: Command, tmp_path: Path) -> None:
    folder = write(tmp_path, "np.random.default_rng().normal(size=(2, 3))")
    found = faults(lectern, folder)["not-deterministic"]
    assert found["path"].endswith("cases.py")
    assert "`rng`" in found["hint"]


def test_a_default_folder_may_be_empty_and_a_named_one_may_not(lectern: Command, tmp_path: Path) -> None:
    (tmp_path / "lessons").mkdir()
    folder = write(tmp_path / "exercises")
    environment = {"LECTERN_EXERCISES": str(folder.parent), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    process = lectern("check", "--json", **environment)
    assert process.code == 0
    assert related(process) == []
    assert process.json["exercises"].keys() == {"row-sums"}
    named = lectern("check", tmp_path / "lessons", "--json", **environment)
    assert named.code == 1
    assert [fault["code"] for fault in named.json["faults"]] == ["nothing"]


def test_a_name_of_two_folders_is_a_fault_that_names_both(lectern: Command, tmp_path: Path) -> None:
    folders = [write(tmp_path / name).parent for name in ("ours", "theirs")]
    environment = {"LECTERN_EXERCISES": ":".join(map(str, folders)), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    process = lectern("check", "--json", **environment)
    assert process.code == 1
    (fault,) = [fault for fault in process.json["faults"] if fault["severity"] == "error"]
    assert fault["code"] == "same-name"
    assert all(str(folder) in fault["message"] for folder in folders)
    assert "LECTERN_EXERCISES" in fault["hint"]
    twice = lectern("check", folders[0], folders[0] / "row-sums", "--json")
    assert (twice.code, {fault["severity"] for fault in twice.json["faults"]}) == (0, {"warning"})  # it is no other one


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("reference.py", "def solve(x):\n    y = 1\n    return y / 0\n", 3),
        ("reference.py", "def solve(x):\n    while True:\n        pass\n", None),
        ("reference.py", "import os\n\n\ndef solve(x):\n    os._exit(1)\n", None),
        ("reference.py", "def solve(x)\n    return x\n", 1),
        ("cases.py", "def sample_cases(rng):\n    yield 1 / 0\n", 2),
        ("cases.py", "import nowhere\n", 1),
        ("cases.py", "def sample_cases(rng):\n    return 7\n\n\ndef hidden_cases(rng):\n    yield 'a', {}\n", None),
    ],
)  # fmt: skip
def test_whatever_is_broken_is_a_fault_with_its_file(
    lectern: Command, tmp_path: Path, file: str, text: str, line: int | None
) -> None:
    folder = write(tmp_path, toml="[limits]\nwall_seconds = 1\n")
    (folder / file).write_text(text)
    process = lectern("check", folder, "--json")
    assert process.code == 1
    (broken,) = related(process)
    assert broken["path"].endswith(file)
    assert broken["code"] == "broken-exercise"
    assert broken["hint"]
    assert line is None or broken["line"] == line
    assert process.json["exercises"]["row-sums"] == {"mutants": None, "killed": None, "equivalent": None}


@pytest.mark.extra
def test_mistakes_in_jax_that_share_a_box_are_held_to_the_same(lectern: Command, tmp_path: Path) -> None:
    right = "# framework: jax\n\n\ndef solve(x):\n    return x.sum(axis=1)\n"

    def wrong(change: str) -> str:
        return f'# framework: jax\n"""Told."""\n\n\ndef solve(x):\n    return x.sum(axis=1){change}\n'

    folder = write(
        tmp_path, solutions__jax=right, mistakes__known=wrong(" + 1"), mistakes__right=wrong(""),
        mistakes__raises=wrong(" + nowhere"), mistakes__one=wrong(" + 2"), mistakes__other=wrong(" + 1 + 1"),
    )  # fmt: skip
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace('["numpy"]', '["numpy", "jax"]'))
    process = lectern("check", folder, "--json")
    found = {(fault["code"], Path(fault["path"]).stem) for fault in related(process)}
    assert found == {
        ("mistake-verdict", "right"), ("mistake-verdict", "raises"),
        ("mistake-unrecognised", "one"), ("mistake-unrecognised", "other"),
    }  # fmt: skip


# ------------------------------------------------------------------ fresh cases


def test_an_exercise_that_draws_no_hidden_case_is_a_fault(lectern: Command, tmp_path: Path) -> None:
    found = faults(lectern, write(tmp_path, drawn=""))
    assert found.keys() == {"no-fresh-cases"}
    assert found["no-fresh-cases"]["severity"] == "error"
    assert found["no-fresh-cases"]["path"].endswith("cases.py")
    assert "`rng" in found["no-fresh-cases"]["hint"]


@pytest.mark.extra
def test_a_case_that_is_hardly_drawn_is_a_warning(lectern: Command, tmp_path: Path) -> None:
    few = "    yield 'few', {'x': (np.array(X) * rng.integers(1, 9)).astype(np.float32)}\n"
    found = faults(lectern, write(tmp_path, drawn=few))
    assert found["fresh-repeats"]["severity"] == "warning"
    assert "'few'" in found["fresh-repeats"]["message"]
    same = "    yield 'same', {'x': (np.array([[1.1], [-1.1]]) * rng.uniform(1, 2) * [[1, -1]]).astype(np.float32)}\n"
    found = faults(lectern, write(tmp_path / "same", drawn=same))
    assert "is the same in all" in found["fresh-same-answer"]["message"]


def test_a_reference_and_a_solution_are_held_to_what_is_drawn(lectern: Command, tmp_path: Path) -> None:
    raising = "def solve(x):\n    if x[0, 0] > 1.9:\n        raise ValueError('too much')\n    return x.sum(axis=1)\n"
    broken = faults(lectern, write(tmp_path, reference=raising))["broken-exercise"]
    assert broken["path"].endswith("reference.py")
    assert "too much" in broken["message"]
    wrong = "def solve(x):\n    return x.sum(axis=1) * (x[0, 0] < 1.9)\n"
    found = faults(lectern, write(tmp_path / "two", solutions__other=wrong))["not-accepted-fresh"]
    assert found["path"].endswith("solutions/other.py")
    assert "--seed" in found["hint"]


def test_a_mistake_that_only_fixed_cases_reject_is_a_warning(lectern: Command, tmp_path: Path) -> None:
    """attack: a table of the fixed cases, and the mistake for all others."""
    source = '"""Told."""\n\n\ndef solve(x):\n    return x.sum(axis=1) + (x[1, 1] == x.dtype.type(0.7))\n'
    found = faults(lectern, write(tmp_path, mistakes__edge=source))
    assert found.keys() == {"mistake-fresh"}
    assert found["mistake-fresh"]["path"].endswith("mistakes/edge.py")


@pytest.mark.extra
def test_shapes_that_are_drawn_are_a_warning_in_jax_alone(lectern: Command, tmp_path: Path) -> None:
    sized = "    yield 'sized', {'x': rng.normal(size=(2, rng.integers(2, 5))).astype(np.float32)}\n"
    assert "fresh-shapes" not in faults(lectern, write(tmp_path, drawn=sized))
    right = "# framework: jax\n\n\ndef solve(x):\n    return x.sum(axis=1)\n"
    folder = write(tmp_path / "jax", drawn=sized, solutions__jax=right)
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace('["numpy"]', '["numpy", "jax"]'))
    found = faults(lectern, folder)["fresh-shapes"]
    assert found["severity"] == "warning"
    assert "3 different shapes" in found["message"]


def test_limits_beyond_the_operators_are_a_fault_that_names_the_setting(lectern: Command, tmp_path: Path) -> None:
    folder = write(tmp_path, toml="[limits]\nwall_seconds = 60\n")
    process = lectern("check", folder, "--json")
    (fault,) = related(process)
    assert fault["line"] == next(n for n, line in enumerate((folder / "exercise.toml").read_text().splitlines(), 1)
                                 if line.startswith("wall_seconds"))  # fmt: skip
    assert "LECTERN_MAX_WALL_SECONDS" in fault["hint"]
    graded = lectern("grade", folder, folder / "reference.py", "--json")
    assert graded.code == 2
    assert "at most 30" in graded.json["error"]["message"]
    granted = {"LECTERN_MAX_WALL_SECONDS": "60", "LECTERN_MAX_CPU_SECONDS": "60", "LECTERN_MAX_TOTAL_SECONDS": "180"}
    assert lectern("check", folder, **granted).code == 0


# ------------------------------------------------------------------ cases and the reference


def test_a_hidden_case_that_is_a_sample_is_a_fault_and_one_that_repeats_a_warning(
    lectern: Command, tmp_path: Path
) -> None:
    twice = (
        "    yield 'again', {'x': np.array(X, np.float32) * 2}\n    yield 'twice', {'x': np.array(X, np.float32) * 2}\n"
    )
    folder = write(tmp_path, drawn=f"{DRAWN}{twice}")
    cases = (folder / "cases.py").read_text()
    (folder / "cases.py").write_text(cases.replace("[::-1]", "[:]"))
    found = faults(lectern, folder)
    assert found["hidden-is-sample"]["severity"] == "error"
    assert "'sample_cases'" in found["hidden-is-sample"]["message"]
    assert found["same-inputs"]["severity"] == "warning"


def test_a_reference_that_writes_into_its_inputs_or_gives_nan_is_found(lectern: Command, tmp_path: Path) -> None:
    writes = "def solve(x):\n    x += 1\n    return x.sum(axis=1)\n"
    found = faults(lectern, write(tmp_path, reference=writes))["writes-inputs"]
    assert found["path"].endswith("reference.py")
    nan = "import numpy as np\n\n\ndef solve(x):\n    return np.sqrt(x.sum(axis=1) - 4).astype(np.float32)\n"
    found = faults(lectern, write(tmp_path, reference=nan))["not-a-number"]
    assert found["severity"] == "error"
    argued = write(tmp_path, reference=f"# NaN is right: there is no root of a negative sum\n{nan}")
    assert "not-a-number" not in faults(lectern, argued)


@pytest.mark.extra
def test_a_right_answer_that_is_too_slow_is_told_of_time_and_not_of_tolerance(lectern: Command, tmp_path: Path) -> None:
    slow = "def solve(x):\n    while True:\n        pass\n"
    found = faults(lectern, write(tmp_path, toml="[limits]\nwall_seconds = 1\n", solutions__slow=slow))["not-accepted"]
    assert "seconds" in found["hint"]
    assert "tolerance" not in found["hint"]


def test_check_names_the_hidden_case_and_the_tolerance_that_would_do(lectern: Command, tmp_path: Path) -> None:
    off = REFERENCE.replace("(axis=1)", "(axis=1) * np.float32(1 + 1e-4)")
    found = faults(lectern, write(tmp_path, solutions__off=off))["not-accepted"]
    assert "Worst on the " in found["message"]
    assert "times the tolerance: rtol = " in found["message"]


@pytest.mark.extra
def test_few_mutants_may_be_equivalent_and_none_is_no_score(lectern: Command, tmp_path: Path) -> None:
    few = "import numpy as np\n\n\ndef solve(x):\n    return np.abs(x).sum(axis=1)\n"
    assert "mutants-equivalent" not in faults(lectern, write(tmp_path, reference=few))
    none = "from operator import methodcaller\n\nsolve = methodcaller('sum', -1)\n"
    process = lectern("check", write(tmp_path / "none", reference=none))
    assert "100%" not in process.out or " mutants: 0" not in process.out

"""What a source must use or must not: patterns read with the exercise, and held against the tree before it runs."""

import ast
from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.source_rules import read_rules
from graders.inside import source_rules
from graders.proof.gate import prove
from graders.verdict import Verdict

from .conftest import DOUBLED_FILES, judged, make_exercise


def broken_at(pattern: str, source: str, frameworks: tuple[str, ...] = ("torch",)) -> int | None:
    """The line on which a source uses what the pattern forbids."""
    rules = [rule.json() for rule in read_rules({"forbids": [pattern]}, frameworks)]
    problem = source_rules.broken(ast.parse(source), rules)
    return int(problem["line"]) if problem else None


USED = [
    ("for", "x = 1\nfor i in x: pass"),
    ("for", "x = 1\ny = [i for i in x]"),
    ("for", "x = 1\ny = {i: 1 for i in x}"),
    ("while", "x = 1\nwhile x: pass"),
    ("lambda", "x = 1\ny = lambda: 1"),
    ("try", "x = 1\ntry: pass\nexcept* ValueError: pass"),
    ("import", "x = 1\nfrom a import b"),
    ("@", "x = 1\ny = x @ x"),
    ("@", "x = 1\nx @= x"),
    ("**", "x = 1\ny = x ** 2"),
    ("in", "x = 1\ny = 1 not in x"),
    ("|", "x = 1\ny = x | 2"),
    ("import scipy", "import numpy\nimport scipy.special as sp"),
    ("import scipy", "import numpy\nfrom scipy import linalg"),
    ("import torch.nn", "import numpy\nfrom torch import nn"),
    ("from torch import softmax", "import numpy\nfrom torch import softmax as s"),
    ("torch.softmax", "import torch\ntorch.softmax(x, 1)"),
    ("torch.softmax", "import torch as t\nt.softmax(x, 1)"),
    ("torch.softmax", "from torch import softmax as s\ns(x, 1)"),
    ("torch.softmax", "from torch import *\nsoftmax(x, 1)"),
    ("torch.softmax", "import torch\nx.softmax(1)"),
    ("torch.softmax", "import torch\ntorch.exp(x).softmax(1)"),
    ("torch.nn.functional.softmax", "import torch.nn.functional as F\nF.softmax(x)"),
    ("torch.nn.functional.softmax", "from torch.nn import functional\nfunctional.softmax(x)"),
    ("torch.nn.functional.softmax", "import torch.nn.functional\ntorch.nn.functional.softmax(x)"),
    ("F.softmax", "from torch.nn.functional import softmax\nsoftmax(x)"),
    ("nn.Linear", "import torch\ntorch.nn.Linear(1, 2)"),
    ("np.linalg", "import numpy as n\nn.linalg.solve(a, b)"),
    (".softmax", "import torch\nx.softmax(1)"),
    ("sorted", "x = 1\nsorted(x)"),
    ("eval", "x = 1\nf = eval"),
    ("class A", "x = 1\nclass A: pass"),
    ("class A(nn.Module)", "import torch.nn as nn\nclass A(nn.Module): pass"),
    ("class A(nn.Module)", "from torch.nn import Module\nclass A(Module): pass"),
    ("class A(B)", "x = 1\nclass A(B, C): pass"),
    ("def f", "x = 1\ndef f(a): pass"),
    ("def f(a, *b, c, **d)", "x = 1\ndef f(a, *b, c=1, **d): pass"),
    ("while | for", "x = 1\nfor i in x: pass"),
]  # fmt: skip
NOT_USED = [
    ("for", "while x: pass"),
    ("for", "forward = 'for'  # for"),
    ("import scipy", "import scipy_like"),
    ("torch.softmax", "import torch\ntorch.softmax_like(x)"),
    ("torch.softmax", "import numpy as torch\ntorch.softmax(x)"),
    ("torch.softmax", "def softmax(x): pass\nsoftmax(x)"),
    ("torch.softmax", "class A:\n    def softmax(self): pass\n    def g(self): return self.softmax()"),
    ("np.shape", "import numpy as np\nx.shape"),
    ("sorted", "def sorted(x): pass\nsorted(x)"),
    ("sum", "import numpy as np\nnp.sum(x)"),
    ("class A(nn.Module)", "class A: pass"),
    ("class A(nn.Module)", "import torch.nn as nn\nclass B(nn.Module): pass"),
    ("def f(a, b)", "def f(b, a): pass"),
    ("in", "for i in x: pass"),
]


@pytest.mark.parametrize(("pattern", "source"), USED)
def test_a_pattern_finds_what_it_names_however_it_is_imported(pattern: str, source: str) -> None:
    assert broken_at(pattern, source) == 2


@pytest.mark.parametrize(("pattern", "source"), NOT_USED)
def test_a_pattern_finds_nothing_else(pattern: str, source: str) -> None:
    assert broken_at(pattern, source) is None


def test_layers_are_those_of_the_exercises_frameworks() -> None:
    source = "import flax.linen as nn\nclass A(nn.Module): pass"
    assert broken_at("class A(nn.Module)", source, ("jax",)) == 2
    assert broken_at("class A(nn.Module)", source, ("torch",)) is None


@pytest.mark.parametrize(
    ("section", "line", "says"),
    [
        ('[source]\nforbids = [\n"while",\n"for i in x"]', 15, "'for i in x', which cannot be read"),
        ('[source]\nforbids = ["class A(f(x))"]', 13, "cannot be read"),
        ('[source]\nforbids = ["def f(x:"]', 13, "cannot be read"),
        ('[source]\nforbids = [""]', 13, "cannot be read"),
        (f'[source]\nrequires = ["{"a" * 300}"]', 13, "has a pattern of 300 characters"),
        ('[source]\nforbids = "for"', 13, "must be a list of patterns"),
        ('[source.forbids]\n"for" = "Told."\n"for i" = "Told."', 14, "cannot be read"),
        ('[source.forbids]\n"for" = 3', 12, "must be a list of patterns"),
        ('[source]\nprohibits = ["for"]', 13, "is unknown"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_a_fault_with_its_line(section: str, line: int, says: str) -> None:
    with pytest.raises(BrokenExercise) as fault:
        make_exercise(exercise_toml=DOUBLED_FILES["exercise.toml"] + section)
    assert says in str(fault.value)
    assert (fault.value.path, fault.value.line) == ("exercise.toml", line)
    assert fault.value.hint


def exercise_with(source: str, **files: str) -> Exercise:
    return make_exercise(exercise_toml=DOUBLED_FILES["exercise.toml"] + source, **files)


def test_a_source_that_breaks_a_rule_is_told_before_it_runs(judge: Judge) -> None:
    exercise = exercise_with('[source.forbids]\n"for" = "Write it without a loop."\n')
    result = judged(judge, exercise, "print('ran')\ndef doubled(x):\n    for i in x: pass\n    return 2 * x\n")
    assert (result.verdict, result.summary) == (Verdict.invalid_submission, "Line 3: Write it without a loop.")
    assert result.cases[0].stdout is None
    assert judged(judge, exercise, "def doubled(x):\n    return 2 * x\n").verdict == Verdict.accepted


def test_what_is_missing_is_told_in_our_words_where_the_author_has_none(judge: Judge) -> None:
    exercise = exercise_with('[source]\nrequires = ["def helper(x)"]\n', reference_py=(
        "def helper(x):\n    return x\n\ndef doubled(x):\n    return 2 * helper(x)\n"
    ))  # fmt: skip
    result = judged(judge, exercise, "def doubled(x):\n    return 2 * x\n")
    assert result.verdict == Verdict.invalid_submission
    assert result.summary == "Use `def helper(x)`: this exercise asks for it."


def test_a_reference_that_breaks_a_rule_is_the_exercises_fault(judge: Judge) -> None:
    exercise = exercise_with('[source]\nforbids = ["*"]\n')
    with pytest.raises(BrokenExercise, match=r"reference\.py:2: breaks \[source\]") as fault:
        cases_of(judge, exercise)
    assert fault.value.hint


def test_the_judging_hash_holds_the_rules() -> None:
    plain, loopless = make_exercise(), exercise_with('[source]\nforbids = ["for"]\n')
    assert plain.judging_hash != loopless.judging_hash
    told = exercise_with('[source.forbids]\n"for" = "Told."\n')
    assert loopless.judging_hash != told.judging_hash


def test_check_holds_every_file_against_the_rules_but_the_starter(judge: Judge, tmp_path: Path) -> None:
    config = DOUBLED_FILES["exercise.toml"].replace(', "jax", "torch"', "") + '[source]\nforbids = ["for"]\n'
    loop = "def doubled(x):\n    for i in x: pass\n    return 2 * x\n"
    exercise = make_exercise(
        exercise_toml=config,
        starter_py=loop,
        solutions__loop_py=loop,
        mistakes__loop_py=f'"""Told."""\n# verdict: invalid_submission\n{loop}',
        mistakes__unmarked_py=f'"""Told."""\n{loop}',
    )
    faults = prove(exercise, judge, tmp_path).faults
    found = {(Path(fault.path).name, fault.code): fault for fault in faults if "for" in fault.message}
    assert found.keys() == {("loop.py", "not-accepted"), ("unmarked.py", "mistake-verdict")}
    assert found["loop.py", "not-accepted"].path == str(tmp_path / "solutions" / "loop.py")
    assert found["loop.py", "not-accepted"].hint == "Fix it, or the pattern in [source]."


@pytest.mark.parametrize(
    "source",
    [
        "a" + ".b" * 30_000,
        "-" * 60_000 + "1",
        "<".join(["1"] * 30_000),
        "import a\n" * 3_000 + "a.b()\n" * 6_000,
        "f = f = f\n" * 6_000,
        "f(" * 90 + "x" + ")" * 90,
    ],
    ids=lambda source: source[:12],
)
def test_a_source_made_to_be_parsed_for_ever_is_the_boxs_to_bear(judge: Judge, source: str) -> None:
    """Nothing of it is parsed out here: where it takes too much, the box's limits end it."""
    exercise = exercise_with(
        '[source]\nforbids = ["torch.softmax", "<", "import scipy"]\nrequires = ["def doubled(x)"]\n'
    )
    result = judged(judge, exercise, f"{source}\n")
    assert result.verdict in (Verdict.invalid_submission, Verdict.memory_limit, Verdict.time_limit)

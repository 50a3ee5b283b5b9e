"""Mutants: each kind of change, in the author's own text; which ones the cases kill, and what is said of the others."""

from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.exercise.runs import measure
from graders.proof.mutants import MAX_MUTANTS, Trial, mutants_of, try_mutants
from tests.mutants.mutate import mutants_of_code, sample
from tests.mutants.targets import TARGETS, Target

from .conftest import ends, make_exercise


def changes(source: str, operator: str | None = None) -> set[str]:
    """The new lines of each mutant, stripped."""
    return {
        " / ".join(line[1:].strip() for line in mutant.diff.splitlines() if line.startswith("+"))
        for mutant in mutants_of(source)
        if operator in (None, mutant.operator)
    }


@pytest.mark.parametrize(
    ("source", "operator", "wanted"),
    [
        ("y = x.sum(axis=-1)", "axis", {"y = x.sum(axis=0)", "y = x.sum()"}),
        ("y = x.sum(axis=0)", "axis", {"y = x.sum(axis=1)", "y = x.sum()"}),
        ("y = x.max(axis=1, keepdims=True)", "keepdims", {"y = x.max(axis=1)"}),
        ("y = x[:T]", "slice", {"y = x[:T - 1]", "y = x[:T + 1]", "y = x[1:T]", "y = x[-T:]"}),
        ("y = x[1:]", "slice", {"y = x[2:]", "y = x[0:]", "y = x[1:-1]", "y = x[:]"}),
        ("y = x[i, j]", "order", {"y = x[j, i]"}),
        ("y = x[i]", "index", {"y = x[i + 1]", "y = x[i - 1]"}),
        ("for i in range(n): f(i)", "slice", {f"for i in range({n}): f(i)" for n in ("n - 1", "1, n", "1, n + 1")}),
        ("y = a < b", "comparison", {"y = a <= b", "y = a >= b"}),
        ("y = a == b", "comparison", {"y = a != b"}),
        ("y = a and b", "comparison", {"y = a or b"}),
        ("y = a + b", "arithmetic", {"y = a - b"}),
        ("y = a * b", "arithmetic", {"y = a / b"}),
        ("y = (a - b) / (c)", "arithmetic", {"y = (a + b) / (c)", "y = (a - b) * (c)"}),
        ("y = a - b * c", "term", {"y = a", "y = a - b", "y = a - c"}),
        ("y = (a + b) / c", "order", {"y = c / (a + b)"}),
        ("y = a @ b", "order", {"y = b @ a"}),
        ("y = -x", "unary", {"y = x"}),
        ("stddev = 0.02", "constant", {"stddev = 0.04"}),
        ("n = 3", "constant", {"n = 4", "n = 2"}),
        ("n = -1", "constant", {"n = 0", "n = -2"}),
        ("n = -1", "unary", {"n = 1"}),
        ("flag = True", "constant", {"flag = False"}),
        ("import numpy as np\ny = np.sin(x)", "function", {"y = np.cos(x)"}),
        ("import numpy as np\ny = np.cos(x)", "function", {"y = np.sin(x)"}),
        ("y = x.argmax()", "function", {"y = x.argmin()"}),
        ("import numpy as np\ny = x.astype(np.float64)", "function", {"y = x.astype(np.float32)"}),
        ("import numpy as np\ny = x.astype(np.float64)", "dropped", {"y = x"}),
        ("y = (a + b).T * 2", "dropped", {"y = (a + b) * 2"}),
        ("y = x.reshape(-1)", "dropped", {"y = x"}),
        ("y = x.swapaxes(0, 1)", "order", {"y = x.swapaxes(1, 0)"}),
        ("import numpy as np\ny = np.transpose(x)", "dropped", {"y = x"}),
        ("import numpy as np\ny = np.arange(T, dtype=np.float32)", "dropped", {"y = np.arange(T)"}),
        ("import numpy as np\ny = np.where(m, a, b)", "branch", {"y = a", "y = b"}),
        ("y = f(a, b)", "order", {"y = f(b, a)"}),
        ("y = f((n, m))", "order", {"y = f((m, n))"}),
        ("y = f('ij,jk->ik', a)", "order", {"y = f('ji,jk->ik', a)", "y = f('ij,kj->ik', a)", "y = f('ij,jk->ki', a)",
                                            "y = f(a, 'ij,jk->ik')"}),
        ("import jax\ny = jax.random.PRNGKey(n)", "seed", {f"y = jax.random.PRNGKey({n})" for n in ("n + 1", "0")}),
        ("total = 0\ntotal += x", "statement", {"pass"}),
        ("total += x", "arithmetic", {"total -= x"}),
        ("y[0] = x", "statement", {"pass"}),
        ("y = a if c else b", "branch", {"y = a", "y = b"}),
        ("if c:\n    y = 1", "branch", {"if True:", "if False:"}),
        ("y = [i for i in x if i]", "branch", {"y = [i for i in x if True]"}),
    ],
)  # fmt: skip
def test_each_kind_of_change(source: str, operator: str, wanted: set[str]) -> None:
    assert changes(source, operator) == wanted


def test_words_and_names_stay_as_they_are() -> None:
    source = '''"""Adds 1 to 2."""
import numpy as np


def solve(x: "float32[3]", n: int = 0) -> "float32[2]":
    """Not this 1 + 1 either."""
    if n > 5:
        raise ValueError(f"{n + 1} is too large")
    assert n - 1, "1 + 1"
    return x
'''
    assert changes(source) == {
        'def solve(x: "float32[3]", n: int = 1) -> "float32[2]":',
        'def solve(x: "float32[3]", n: int = -1) -> "float32[2]":',
        "if n >= 5:", "if n <= 5:", "if n > 6:", "if n > 4:", "if True:", "if False:",
    }  # fmt: skip


def test_the_diff_is_in_the_authors_own_text_and_no_two_mutants_are_alike() -> None:
    source = "def f(x):\n    y = ( x+1 )   # é, twice\n    return (y\n            * 2)\n"
    found = {mutant.diff for mutant in mutants_of(source)}
    assert "-     y = ( x+1 )   # é, twice\n+     y = ( x-1 )   # é, twice" in found
    assert "-             * 2)\n+             / 2)" in found
    texts = [mutant.text for mutant in mutants_of(source)]
    assert len(texts) == len(set(texts))
    assert all(mutant.text.splitlines()[mutant.line - 1] for mutant in mutants_of(source))


def test_a_long_reference_has_a_number_of_mutants_that_can_be_run() -> None:
    source = "\n".join(f"y{n} = x{n} + {n}" for n in range(150))
    assert len(mutants_of(source)) == MAX_MUTANTS
    assert mutants_of(source)[-1].line > 140, "from all over it"


# ------------------------------------------------------------------ of our own code


def code_changes(source: str, operator: str | None = None) -> set[str]:
    """The new lines of each mutant of a module of ours, stripped."""
    return {
        " / ".join(line[1:].strip() for line in mutant.diff.splitlines() if line.startswith("+"))
        for mutant in mutants_of_code(source)
        if operator in (None, mutant.operator)
    }


@pytest.mark.parametrize(
    ("source", "operator", "wanted"),
    [
        ("if a: b()", "negated", {"if not a: b()"}),
        ("while a < b: b()", "negated", {"while not (a < b): b()"}),
        ("x = a if b else c", "negated", {"x = a if not b else c"}),
        ("x = [a for a in b if a]", "negated", {"x = [a for a in b if not a]"}),
        ("match a:\n    case {'b': c} if c: d()", "negated", {"case {'b': c} if not c: d()"}),
        ("if a or b: c()", "branch", {"if True: c()", "if False: c()", "if a: c()", "if b: c()"}),
        ("if a or b: c()", "comparison", {"if a and b: c()"}),
        ("x = a <= b", "comparison", {"x = a < b", "x = a > b"}),
        ("queue.add(one, first=True)", "constant", {"queue.add(one, first=False)"}),
        ("queue.add(one, first=True)", "statement", {"pass"}),
        ("async def f(): await g()", "statement", {"async def f(): pass"}),
        ("async def f():\n    for x in y:\n        await g(x)", "statement", {"pass"}),
        ("def f():\n    yield g()\n    yield 2", "statement", {"pass"}),
        ("self.closed = True", "statement", {"pass"}),
        ("a, self.kept = self.kept, {}", "statement", {"pass"}),
        ("del kept[name]", "statement", {"pass"}),
        ("if a: raise Wrong(1 + 1)", "statement", {"if a: pass"}),
        ("for a in b:\n    if a: continue\n    c()", "statement", {"if a: pass", "pass"}),
        ("def f(a):\n    if a: return None\n    b()", "statement", {"if a: pass", "pass"}),
        ("def f(a):\n    return g", "statement", set()),
        ("def f(a):\n    return g", "return", {"return None"}),
        ("def f(a) -> bool:\n    return a or b", "return", {"return not (a or b)"}),
        ("try: a()\nexcept B:\n    c = 1\n    d()", "handler", {"pass"}),
        ("try: a()\nexcept B:\n    pass", "handler", set()),
        ("x = min(a, b)", "function", {"x = max(a, b)"}),
        ("x = parts[0]", "constant", {"x = parts[1]", "x = parts[-1]"}),
        ("x = parts[:n]", "slice", {f"x = parts[{n}]" for n in (":n - 1", ":n + 1", "1:n", "-n:")}),
        ("LARGEST = 3", "constant", {"LARGEST = 4", "LARGEST = 2"}),
        ("at: Mapped[int] = mapped_column(Integer(4), default=0, index=True)", "constant", {
            f"at: Mapped[int] = mapped_column(Integer(4), default={n}, index=True)" for n in (1, -1)}),
    ],
)  # fmt: skip
def test_each_kind_of_change_to_our_own_code(source: str, operator: str, wanted: set[str]) -> None:
    assert code_changes(source, operator) == wanted


@pytest.mark.parametrize(
    "source",
    [
        '"""Adds 1 to 2."""',
        "if TYPE_CHECKING:\n    x = 1 + 1",
        "def f(x: Literal[1]) -> tuple[int, str]: ...",
        "class A:\n    def __repr__(self):\n        return 1 + 1",
        "Answer = Done | Returned | Raised",
        "log.error('failed', count=1 + 1)",
        "try: x\nexcept A as error:\n    log.error('failed', cause=error)",
        "time.sleep(2 * PAUSE)",
        "RETRY_SECONDS = 0.5",
        "x = f(daemon=True)",
        "x = frozenset[str]",
    ],
)
def test_what_nobody_could_tell_is_not_changed(source: str) -> None:
    assert code_changes(source) == set()


def test_words_are_joined_where_threads_are_waited_for() -> None:
    assert code_changes("', '.join(words[1:])", "slice"), "a pause is not changed, but this is none"
    assert not code_changes("thread.join(words[1:])")


def test_a_sample_is_drawn_by_its_seed_from_all_modules() -> None:
    sources = {f"module{n}.py": "\n".join(f"y{m} = a{m} < b{m}" for m in range(20)) for n in range(3)}
    drawn = sample(sources, 30, "one")
    assert drawn == sample(sources, 30, "one") != sample(sources, 30, "two")
    assert len(set(drawn)) == 30
    assert {path for path, _ in drawn} == set(sources)
    assert len(sample(sources, 1000, "one")) == 3 * 20 * 2, "all there are"


def test_a_target_that_has_moved_says_where_to_correct_it(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("")
    with pytest.raises(FileNotFoundError, match=r"'a' names app/gone.py, .* correct the table in tests/mutants"):
        Target("a", ("app/gone.py",), ("test_a.py",)).modules(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"'a' names test_b.py"):
        Target("a", ("test_a.py",), ("test_b.py",)).modules(tmp_path)


def test_every_target_is_where_the_table_says() -> None:
    for target in TARGETS:
        assert target.modules()


# ------------------------------------------------------------------ tried on cases

TOML = """
title = "Tried"
entry = "solve"
frameworks = ["numpy"]
[signature]
x = "float32[N, C]"
returns = "float32[{returns}]"
[limits]
wall_seconds = {seconds}
"""


def exercise(body: str, *cases: str, returns: str = "N, C", seconds: int = 5, before: str = "") -> Exercise:
    """An exercise whose reference is `body`; each of `cases` makes x."""
    yields = "\n".join(f'    yield "case {n}", {{"x": np.array({text}, np.float32)}}' for n, text in enumerate(cases))
    generators = f"def sample_cases(rng):\n{yields}\n\ndef hidden_cases(rng):\n    yield from ()\n"
    return make_exercise(
        "tried",
        exercise_toml=TOML.format(returns=returns, seconds=seconds),
        starter_py="def solve(x):\n    return None\n",
        reference_py=f"import numpy as np\n{before}\n\ndef solve(x):\n{body}",
        cases_py=f"import numpy as np\n\n{generators}",
    )


def tried(judge: Judge, exercise: Exercise) -> Trial:
    cases = cases_of(judge, exercise)
    trial = try_mutants(judge, exercise, cases, measure(judge, exercise, exercise.reference, cases))
    counted = trial.killed + len(trial.survivors) + len(trial.argued) + len(trial.equivalents)
    assert counted == trial.mutants
    return trial


SUMS = "    return x.sum(axis=1)\n"


def test_cases_that_cannot_tell_two_axes_let_that_mutant_live(judge: Judge) -> None:
    trial = tried(judge, exercise(SUMS, "[[1, 2], [2, 1]]", returns="N"))
    (survivor,) = trial.survivors
    assert survivor.mutant.operator == "axis"
    assert survivor.mutant.line == 5
    assert survivor.mutant.diff == "-     return x.sum(axis=1)\n+     return x.sum(axis=0)"
    assert survivor.nearest == "case 0"
    assert survivor.share == 0, "the case gives the same numbers"
    assert survivor.beyond, "another input would tell it"
    assert "case 0" in survivor.told_by
    assert trial.score is not None
    assert trial.score < 0.95


def test_a_case_that_tells_them_kills_it(judge: Judge) -> None:
    trial = tried(judge, exercise(SUMS, "[[1, 2], [2, 1]]", "[[1, 5], [2, 1]]", returns="N"))
    assert trial.survivors == ()
    assert trial.killed == trial.mutants > 2
    assert trial.score == 1


def test_a_change_that_changes_nothing_is_equivalent(judge: Judge) -> None:
    trial = tried(judge, exercise("    return np.where(x > 0, x, 0 * x)\n", "[[1, -2], [0, 1.5]]"))
    assert "+     return np.where(x >= 0, x, 0 * x)" in {one.diff.splitlines()[1] for one in trial.equivalents}
    assert trial.survivors == ()
    assert trial.score == 1
    assert trial.inputs > 10, "that is said after many inputs"


def test_a_bound_that_no_case_touches_is_found_by_the_references_own_constant(judge: Judge) -> None:
    """No case holds 1.5, none of the variations of their values does, and only there `>` and `>=` differ."""
    trial = tried(judge, exercise("    return (x > 1.5).astype(np.float32)\n", "[[1, 2, 3], [0.1, 4, -2]]"))
    survivor = next(one for one in trial.survivors if one.mutant.operator == "comparison")
    assert "constants" in survivor.told_by


def test_numbers_too_large_for_exp_tell_a_softmax_without_its_maximum(judge: Judge) -> None:
    body = "    e = np.exp(x - x.max(axis=1, keepdims=True))\n    return e / e.sum(axis=1, keepdims=True)\n"
    trial = tried(judge, exercise(body, "[[1.5, 2, 3.25], [0.5, -1, 0], [3, 2.5, 1]]", "[[0.5, 2], [1, 4]]"))
    found = {one.mutant.diff.splitlines()[1].strip("+ "): one for one in trial.survivors}
    assert "100 times" in found["e = np.exp(x)"].told_by


SMALL = "    return x + 2e-7\n"


def test_the_nearest_case_is_named_with_its_share_of_the_tolerance(judge: Judge) -> None:
    trial = tried(judge, exercise(SMALL, "[[1000]]", "[[0.001]]", "[[100]]"))
    survivor = next(one for one in trial.survivors if one.mutant.operator == "constant")
    assert survivor.nearest == "case 1"
    assert survivor.share == pytest.approx(0.2, abs=0.01)
    assert not survivor.beyond, "no case could tell it at this tolerance"


def test_an_argument_takes_a_survivor_out_of_the_score_and_shows_it(judge: Judge) -> None:
    argued = SMALL.replace("\n", "  # mutants: too small to be seen\n")
    for body in (argued, "    # mutants: too small to be seen\n" + SMALL):
        trial = tried(judge, exercise(body, "[[1000]]", "[[0.001]]", "[[100]]"))
        assert trial.survivors == ()
        assert {one.argument for one in trial.argued} == {"too small to be seen"}
        assert trial.excluded == len(trial.argued) + len(trial.equivalents)
        assert trial.stale == ()
    stale = tried(judge, exercise(SUMS.replace("\n", "  # mutants: none\n"), "[[1, 5], [2, 1]]", returns="N"))
    assert stale.stale == (5,)


def test_a_mutant_that_loops_is_killed_long_before_the_limit(judge: Judge) -> None:
    body = "    n = 0\n    while n < 3:\n        n += 1\n    return x * n\n"
    looping = exercise(body, "[[1, 2]]", seconds=3600)
    diffs = {mutant.diff.splitlines()[-1].strip("+ ") for mutant in mutants_of(looping.reference.text)}
    assert {"n -= 1", "pass"} <= diffs
    with ends():  # and neither has its hour
        trial = tried(judge, looping)
    assert trial.survivors == ()
    assert not {"n -= 1", "pass"} & {one.diff.splitlines()[-1].strip("+ ") for one in trial.equivalents}


def test_a_mutant_that_ends_its_box_is_killed_and_the_next_one_is_tried(judge: Judge) -> None:
    body = "    import os\n    if x.shape[0] > 5:\n        os._exit(3)\n    return x * 2\n"
    trial = tried(judge, exercise(body, "[[1, 2]]", "[[3, 4], [5, 6], [7, 8]]"))
    alive = {one.diff for one in trial.equivalents} | {one.mutant.diff for one in trial.survivors}
    assert not [diff for diff in alive if "if True:" in diff or "<=" in diff], "they end it at once"
    assert not [diff for diff in alive if "return" in diff], "these were tried after it"
    assert [diff for diff in alive if ">=" in diff or "> 6" in diff or "if False:" in diff]


@pytest.mark.extra
def test_what_others_left_in_memory_kills_no_mutant(judge: Judge) -> None:
    """Each that is loaded keeps 160 MB of the 1024 for good: a box has room for six, and there are more."""
    hoard = "import sys\nsys.hoard = getattr(sys, 'hoard', []) + [np.ones(20_000_000)]\n"
    trial = tried(judge, exercise("    return np.where(x > 0, x, 0 * x)\n", "[[1, -2], [0, 1.5]]", before=hoard))
    equivalents = {one.diff.splitlines()[1] for one in trial.equivalents}
    assert trial.mutants > 12
    assert "+     return np.where(x >= 0, x, 0 * x)" in equivalents
    assert [diff for diff in equivalents if "20000001" in diff]


@pytest.mark.extra
def test_what_others_left_running_late_kills_no_mutant(judge: Judge) -> None:
    """In each box the third that is loaded, and whichever comes after, never ends loading."""
    before = "import sys\nsys.loaded = getattr(sys, 'loaded', 0) + 1\nwhile sys.loaded >= 3: pass"
    trial = tried(judge, exercise("    return np.where(x > 0, x, 0 * x)\n", "[[1, -2], [0, 1.5]]", before=before))
    equivalents = {one.diff.splitlines()[1] for one in trial.equivalents}
    assert trial.mutants > 12
    assert "+     return np.where(x >= 0, x, 0 * x)" in equivalents
    assert "+ while sys.loaded >= 4: pass" in equivalents
    assert "+ while True: pass" not in equivalents


# ------------------------------------------------------------------ inputs of other types


def of_type(declared: str, returns: str, body: str, *values: str) -> Exercise:
    yields = "\n".join(f'    yield "case {n}", {{"x": {value}}}' for n, value in enumerate(values))
    return make_exercise(
        "typed",
        exercise_toml=f'title = "T"\nentry = "solve"\n[signature]\nx = "{declared}"\nreturns = "{returns}"\n',
        starter_py="def solve(x):\n    return None\n",
        reference_py=f"def solve(x):\n{body}",
        cases_py=f"def sample_cases(rng):\n{yields}\n\n\ndef hidden_cases(rng):\n    yield from ()\n",
    )


@pytest.mark.parametrize(
    ("declared", "body", "value", "change"),
    [
        ("str", '    return sum(c in "aeiou" for c in x.lower())\n', '"banana"', "not in"),
        ("str", '    return 1 if x == "mean" else 0\n', '"sum"', "return 0"),
        ("str", "    return len(x.strip())\n", '"banana"', None),
        ("tuple[str, int]", "    return x[1] if x[0] < x[0].lower() else -x[1]\n", '("abc", 3)', None),
        ("dict[str, float]", "    return int(sum(v > 1.0 for v in x.values()))\n", '{"a": 0.5, "b": 1.5}', ">= 1.0"),
        ("dict[str, int]", '    return x["a"] - min(x.values())\n', '{"a": 2, "b": 2}', "max"),
    ],
)  # fmt: skip
def test_inputs_within_texts_tuples_and_dicts_are_searched_too(
    judge: Judge, declared: str, body: str, value: str, change: str | None
) -> None:
    """The case alone leaves mutants alive that another value of its type tells apart: none is equivalent."""
    trial = tried(judge, of_type(declared, "int", body, value))
    equivalent = [one.diff for one in trial.equivalents]
    alive = [one.mutant.diff for one in trial.survivors]
    assert trial.mutants
    if change is not None:
        assert not [diff for diff in equivalent if change in diff]
    assert alive or trial.killed == trial.mutants, equivalent


def test_no_mutants_are_no_score(judge: Judge) -> None:
    trial = tried(judge, of_type("str", "str", "    return x\n", '"a"', '"b"'))
    assert trial.mutants == 0
    assert trial.score is None

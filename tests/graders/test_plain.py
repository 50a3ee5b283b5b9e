"""Plain sentences for what frameworks throw: each rule against the pinned versions' own message, really raised."""

import json
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.settings import ROOT
from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.fresh import FRESH
from graders.reasons import library_names
from graders.reasons.plain import RULES, SYNTAX_RULES, plain
from tests.waiting import LIMIT_SECONDS

from .conftest import ends, judged, make_exercise

ERRORS: list[dict[str, Any]] = [
    error
    for name in ("errors.toml", "errors_in_source.toml")
    for error in tomllib.loads(Path(__file__).with_name(name).read_text())["error"]
]
NEAR: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("near_misses.toml").read_text())["near"]

Thrown = Mapping[tuple[str, str], tuple[str, str, int | None]]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """What the frameworks raise, and which names they have.

    Of a process of its own: the frameworks, once imported, change how a process logs, warns and forks.
    """
    asked = [example for error in (*ERRORS, *NEAR) for example in examples(error)]
    program = [sys.executable, "-m", "tests.graders.throw"]
    done = subprocess.run(
        program, input=json.dumps(asked), cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


@pytest.fixture(scope="module")
def thrown(answers: dict[str, Any]) -> Thrown:
    """The type, message and line that each piece of code raises, by framework and code."""
    asked = [example for error in (*ERRORS, *NEAR) for example in examples(error)]
    return {example: tuple(answer) for example, answer in zip(asked, answers["raised"], strict=True)}


def examples(error: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for framework in error.keys() - {"says", "why", "never"}:
        for code in error[framework]:
            yield framework, code


def test_what_is_thrown_is_said_plainly(thrown: Thrown) -> None:
    wrong = []
    for error in ERRORS:
        for framework, code in examples(error):
            kind, message, line = thrown[framework, code]
            sentence = plain(kind, message, "numpy" if framework == "unreadable" else framework, code, line)
            if sentence != error["says"]:
                wrong.append(f"{framework} {code!r} raises {kind}: {message}\n    {sentence}\n    {error['says']}")
    assert not wrong, "\n".join(wrong)


def test_a_near_miss_is_not_said_to_be_what_it_resembles(thrown: Thrown) -> None:
    wrong = []
    for near in NEAR:
        for framework, code in examples(near):
            kind, message, line = thrown[framework, code]
            sentence = plain(kind, message, framework, code, line) or ""
            if re.search(near["never"], sentence):
                wrong.append(f"{near['why']}: {framework} {code!r} raises {kind}: {message}\n    {sentence}")
    assert not wrong, "\n".join(wrong)


def test_every_rule_is_of_a_message_that_the_pinned_versions_have(thrown: Thrown) -> None:
    left = {(rule.types, rule.pattern) for rule in (*SYNTAX_RULES, *RULES)}
    for framework, code in (example for error in ERRORS for example in examples(error)):
        kind, message, _ = thrown[framework, code]
        left -= {(types, of) for types, of in left if (not types or kind in types.split()) and re.search(of, message)}
    assert not left


def test_of_a_hidden_case_the_sentence_holds_nothing_of_the_message(thrown: Thrown) -> None:
    """Whatever the message's gaps are filled with, the sentence is the same."""
    sentences = set()
    for framework, code in (example for error in ERRORS for example in examples(error)):
        kind, message, line = thrown[framework, code]
        for text in (message, re.sub(r"\d+", "271828", message), re.sub(r"'\w+'", "'a271828'", message)):
            sentences.add(plain(kind, text, "numpy", "", line, fixed=True))
    assert len(sentences) > 100
    assert "271828" not in str(sentences)
    assert len(sentences) <= len(SYNTAX_RULES) + len(RULES) + 1


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("ValueError", "the answer is 42"), ("Exception", ""), ("Odd", "operands could not be broadcast"),
        ("AssertionError", "x must be positive"), ("ValueError", ""), ("TypeError", "wrong"), ("IndexError", "index"),
        ("AttributeError", "'Model' object has no attribute 'unsqueeze'"), ("StopIteration", ""),
    ],
)  # fmt: skip
def test_what_no_rule_is_about_is_left_to_its_own_words(kind: str, message: str) -> None:
    for framework in ("numpy", "jax", "torch"):
        assert plain(kind, message, framework) is None


@pytest.mark.parametrize("kind", ["KeyError", "ValueError", "TypeError"])
def test_what_the_students_own_line_raises_is_no_librarys(kind: str) -> None:
    source = f"def f(kind):\n    raise {kind}(kind)\n"
    assert plain(kind, "'sinusoidal'", "numpy", source, 2) == f"Your own line raises this `{kind}`."
    looked_up = "def f(kind):\n    return {}[kind]\n"
    assert "no key" in (plain("KeyError", "'sinusoidal'", "numpy", looked_up, 2) or "")


@pytest.mark.parametrize(
    "message", ["(" * 100_000, "index " * 50_000, "'a" * 100_000, "matmul: " * 30_000, "\0", "{0}"]
)
def test_a_long_message_takes_no_time_to_read_and_braces_are_no_gaps(message: str) -> None:
    for kind in ("ValueError", "TypeError", "IndexError", "SyntaxError", "RuntimeError", "AttributeError", "KeyError"):
        sentence = plain(kind, message, "numpy", "x = 1\n" * 1000, 3)
        assert sentence is None or len(sentence) < 300


LONG = 4_000_000  # characters


@pytest.mark.parametrize(
    ("kind", "message", "begin", "unit"),
    [
        ("SyntaxError", "'(' was never closed", "(", "\n"),
        ("SyntaxError", "invalid syntax", "(", " "),
        ("SyntaxError", "invalid syntax", "", "lambda "),
        ("NameError", f"name '{'ab' * 30}' is not defined", "x\n", f"{'ab' * 29}{{}} "),
    ],
)
def test_a_long_source_takes_as_its_length_to_read_and_not_as_its_square(
    kind: str, message: str, begin: str, unit: str
) -> None:
    """As its length that is a tenth of a second, as its square half an hour and more."""
    count = LONG // len(unit)
    text = begin + (unit * count if "{}" not in unit else "".join(map(unit.format, range(count))))
    with ends():
        plain(kind, message, "numpy", text, 1)


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 5000 + "1" + ")" * 5000, "x = " + "-" * 18_000 + "1", "x = a" + ".a" * 9_900, "\0", "x = \"",
        "x = " + "+".join("1" * 9_900), "\n".join(" " * n + "if x:" for n in range(180)), "x = [" * 3900,
        "f" + "(x)" * 6600,
        "def f(x):\n" + "    x = x + 1\n" * 1400, "y = x\nx = y\n" * 1600, "lambda " * 2800, "x = 1\n" * 100_000,
    ],
    ids=lambda source: source[:12],
)  # fmt: skip
def test_a_hostile_source_neither_ends_the_process_nor_takes_long(source: str) -> None:
    messages = (
        ("TypeError", "'tuple' object is not callable"), ("NameError", "name 'x' is not defined"),
        ("ValueError", "operands could not be broadcast together with shapes (2,3) (2,)"), ("AssertionError", ""),
        ("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'"),
        ("IndexError", "list index out of range"),
    )  # fmt: skip
    began = time.thread_time()
    for kind, message in messages:
        for line in (1, 100, None):
            sentence = plain(kind, message, "jax", source, line)
            assert sentence is None or len(sentence) < 300
    assert time.thread_time() - began < 3


def test_the_names_of_the_libraries_are_those_of_the_pinned_versions(answers: dict[str, Any]) -> None:
    listed = Path(library_names.__file__).with_name("library_names.json").read_text()
    assert json.loads(answers["listing"]) == json.loads(listed)


# ------------------------------------------------------------------ through the judge


def test_a_sample_cases_error_has_its_sentence_and_a_hidden_cases_a_fixed_one(judge: Judge, doubled: Exercise) -> None:
    source = "import numpy as np\n\ndef doubled(x):\n    return x + np.zeros(len(x) + 1)\n"
    sample, hidden, single, *fresh = judged(judge, doubled, source).cases
    assert sample.error
    assert sample.error.plain == (
        "The shapes (3,) and (4,) do not fit each other: lined up from the last axis, each pair of sizes must be equal "
        "or 1."
    )
    assert hidden.error
    assert hidden.error.message is None
    assert hidden.error.plain == (
        "The shapes do not fit each other: lined up from the last axis, each pair of sizes must be equal or 1."
    )
    assert single.error is None  # one number broadcasts
    assert [(case.verdict, case.error) for case in fresh] == [("runtime_error", None)] * FRESH  # the first speaks alone


@pytest.mark.parametrize(
    ("framework", "source", "says"),
    [
        ("numpy", "```python\ndef doubled(x): return 2 * x\n```\n", "Markdown"),
        ("numpy", "def doubled(x):\nreturn 2 * x\n", "four spaces in front"),
        ("numpy", "def doubled(x):\n    return np.add(x, x)\n", "put `import numpy as np` at the top"),
        ("numpy", "import pandas\ndef doubled(x): return x\n", "`pandas` is not available here"),
        ("numpy", "def doubled(x):\n    return float(input())\n", "no keyboard input here"),
        ("numpy", "import sys\ndef doubled(x):\n    sys.exit()\n", "write `return`"),
        ("numpy", "def doubled(x):\n    return doubled(x)\n", "calls itself without end"),
        ("numpy", "def doubled(x):\n    return x.long()\n", "x.astype(np.int64)"),
        (
            "numpy",
            "def double(x):\n    y = 2 * x\ndef doubled(x):\n    return double(x).sum()\n",
            "`double` returns nothing",
        ),
        ("torch", "def doubled(x):\n    return x.astype('float32')\n", "`x.to(dtype)`"),
        ("torch", "def doubled(x):\n    x.requires_grad_()\n    x += x\n    return x\n", "cannot be changed in place"),
        ("jax", "def doubled(x):\n    x[0] = 2\n    return x\n", "x.at[index].set(value)"),
        ("jax", "import jax\n@jax.jit\ndef doubled(x):\n    return x if x[0] > 0 else 2 * x\n", "`jnp.where`"),
    ],
)
def test_the_sentence_is_told_through_the_judge(
    judge: Judge, doubled: Exercise, framework: str, source: str, says: str
) -> None:
    error = judged(judge, doubled, source, framework).cases[0].error
    assert error
    assert error.plain
    assert says in error.plain


def test_a_hidden_input_does_not_leave_by_a_sentence_about_it(judge: Judge) -> None:
    exercise = make_exercise(
        cases_py="import numpy as np\ndef sample_cases(rng):\n    yield 'one', {'x': np.ones(2, np.float32)}\n"
        "def hidden_cases(rng):\n    yield 'two', {'x': np.array([7654321, 3], np.float32)}\n"
    )
    for raising in (
        "raise KeyError(int(x[0]))",
        "raise ValueError(f'operands could not be broadcast together with shapes ({int(x[0])},) ({int(x[0])},)')",
        "raise NameError(f\"name 'np{int(x[0])}' is not defined\")",
        "raise ModuleNotFoundError(f\"No module named '{int(x[0])}'\")",
    ):
        result = judged(judge, exercise, f"def doubled(x):\n    if x[0] == 1: return 2 * x\n    {raising}\n")
        assert result.cases[1].error
        assert result.cases[1].error.plain
        assert "7654321" not in str(result)


def test_no_pattern_begins_with_a_run_that_each_of_its_characters_could_begin() -> None:
    """Of two thousand letters it would look at two million, for each case again, and every thread would wait."""
    run = re.compile(r"(?:\(\?\w+\))?\(*(?:\?:)?(?:\[[^]]+\]|\\[a-z]|\.)[+*](?!\+)")
    assert run.match(r"([\w.]+)\(\) missing")
    assert not run.match(r"(?<![\w.])([\w.]+)\(\) missing")
    ways = [way for rule in (*SYNTAX_RULES, *RULES) for way in rule.pattern.split("|")]
    assert [way for way in ways if way.count("(") == way.count(")") and run.match(way)] == []

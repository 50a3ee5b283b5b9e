"""Tokens, fingerprints, and which programs they make alike: copies are found, and an honest class is not accused."""

import io
import re
import tokenize
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.classes import resemblance
from app.classes.resemblance import LONGEST, OWN, PAIRS_LISTED, SHARE, Resemblance, Run, resemblance_of, runs
from app.classes.tokens import MAX_TOKENS, normalised, scan
from app.classes.winnowing import GUARANTEED, WINDOW, K, Program, hashes, program_of, read_program, winnow
from tests.app.effort import processor_seconds

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = ROOT / "tests" / "exercises" / "attention-with-mask"
HONEST = (ROOT / "tests" / "app" / "honest" / "attention.txt").read_text().split("# ----\n")
OURS = [
    *(ROOT / "app" / "content").glob("*.py"),
    *(ROOT / "exercises").rglob("*.py"),
    *(path for path in (ROOT / "tests" / "exercises").rglob("*.py")),
]
SEVERAL_FUNCTIONS = next(text for text in HONEST if "def hide" in text)


def base() -> set[int]:
    files = [EXERCISE / "starter.py", EXERCISE / "reference.py", *(EXERCISE / "solutions").glob("*.py")]
    return {gram for path in files for gram in read_program(path.read_text()).grams}


def compared(*sources: str) -> Resemblance:
    return resemblance_of({key: read_program(source) for key, source in enumerate(sources)}, base())


# ---- tokens ---------------------------------------------------------------------------------------------------


def of_python(source: str) -> list[tuple[str, int]]:
    kinds = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    return [(token.string, token.start[0]) for token in found if token.type in kinds]


def test_our_tokens_are_pythons_with_their_lines() -> None:
    texts = [*HONEST, *(path.read_text() for path in OURS)]
    assert len(texts) > 100
    for text in texts:
        ours = [(token.text, token.line) for token in scan(text) if token.text != "\n"]
        assert ours == of_python(text)[: len(ours)]
        assert len(ours) == len(of_python(text)) or len(ours) > MAX_TOKENS / 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = a + b", "total=first + second  # added"),
        ("x = 0.5 * f('a')", 'x = 12 * f("another")'),
        ('def f(x):\n    """What it does."""\n    return x', "def g(y): return y"),
        ("import numpy as np\ny = np.exp(x)", "from numpy import exp as e\ny = e(x)"),
        ("import torch.nn as layers\ny = layers.Linear(2)", "from torch import nn\ny = nn.Linear(2)"),
        ("class A:\n    def f(self): self.total = 1", "class B:\n    def g(me): me.sum_ = 1"),
        ("y = f(a,\n      b)", "y = f(a, b)"),
    ],
)
def test_what_is_easily_changed_makes_no_difference(one: str, other: str) -> None:
    assert [text for text, _ in normalised(one)] == [text for text, _ in normalised(other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("y = x.sum()", "y = x.max()"), ("y = a + b", "y = a * b"), ("for i in x: f(i)", "while i in x: f(i)"),
     ("y = len(x)", "y = max(x)"), ("y = x is None", "y = x is True")],
)  # fmt: skip
def test_what_is_done_makes_one(one: str, other: str) -> None:
    assert [text for text, _ in normalised(one)] != [text for text, _ in normalised(other)]


@given(st.one_of(st.text(), st.text(alphabet="([{)]}'\"\\\n\r#:;. =importfrmas0x_e")))
def test_whatever_comes_has_tokens(text: str) -> None:
    lines = len(text.split("\n")) + text.count("\r")
    assert all(1 <= line <= lines for _, line in normalised(text))


def test_any_bytes_are_a_program() -> None:
    for source in (b"", b"\xff\xfe\x00", b"def f(:", b"'''", b"(" * 60_000, "x = 1\x00".encode("utf-16")):
        assert len(program_of(source)) <= MAX_TOKENS


@pytest.mark.parametrize(
    "source",
    ["x = " + " " * 60_000 + "℘", '"%' + "0" * 60_000, "'" * 60_001, "\\\n" * 30_000, "a." * 30_000, "import " * 9_000],
    ids=["blanks", "zeros", "quotes", "continued", "members", "imports"],
)
def test_no_source_takes_long(source: str) -> None:
    assert processor_seconds(lambda: read_program(source)) < 2


# ---- winnowing ------------------------------------------------------------------------------------------------

FEW, OTHERS = st.integers(0, 3), st.integers(100, 103)


@given(st.data(), st.integers(GUARANTEED, 3 * GUARANTEED))
def test_what_is_long_enough_leaves_a_fingerprint_in_both(data: st.DataObject, length: int) -> None:
    """Whatever is around it: few signs, so that hashes repeat and ties are common."""
    shared = data.draw(st.lists(FEW, min_size=length, max_size=length))
    prints = []
    for _ in range(2):
        before, after = data.draw(st.lists(FEW, max_size=40)), data.draw(st.lists(FEW, max_size=40))
        grams = list(hashes([*before, *shared, *after]))
        places = range(len(before), len(before) + length - K + 1)
        prints.append({grams[place] for place in winnow(grams) if place in places})
    assert prints[0] & prints[1]


@given(st.lists(FEW, max_size=60), st.lists(OTHERS, max_size=60), st.lists(st.integers(50, 53), max_size=K - 1))
def test_what_is_shorter_than_k_leaves_none(left: list[int], right: list[int], shared: list[int]) -> None:
    one, other = ({*hashes([*side, *shared])} for side in (left, right))
    assert not one & other


@given(st.lists(FEW, max_size=200))
def test_each_window_keeps_its_smallest_hash(tokens: list[int]) -> None:
    grams = list(hashes(tokens))
    kept = list(winnow(grams))
    assert kept == sorted(set(kept))
    for begin in range(len(grams) - WINDOW + 1):
        window = range(begin, begin + WINDOW)
        assert min(grams[place] for place in window) in {grams[place] for place in kept if place in window}


@given(st.lists(FEW, min_size=1, max_size=60), st.integers(1, 9))
def test_hashes_that_roll_are_those_that_are_made_anew(tokens: list[int], k: int) -> None:
    assert list(hashes(tokens, k)) == [next(hashes(tokens[i : i + k], k)) for i in range(len(tokens) - k + 1)]


# ---- programs that are alike ----------------------------------------------------------------------------------


def renamed(source: str) -> str:
    own = {"similarity", "hide", "normalise", "scores", "shifted", "exponentials", "q", "k", "v", "mask"}
    return re.sub(r"(?<![.\w])\w+\b(?!=)", lambda one: f"my_{one[0][::-1]}" if one[0] in own else one[0], source)


def reordered(source: str) -> str:
    head, *functions = source.split("\ndef ")
    return "\ndef ".join([head, *reversed(functions)])


def reset(source: str) -> str:
    """Other white space and comments, and a docstring."""
    spaced = (
        source.replace("    ", "\t").replace(", ", " ,  ").replace("(", "( \n  ").replace("\ndef ", "\n\n\n# so:\ndef ")
    )
    return re.sub(r"(def attention.*?):\n", '\\1: # mine\n\t"""My own work."""\n', spaced, flags=re.DOTALL, count=1)


def with_other_literals(source: str) -> str:
    return re.sub(r"(?<![\w.])\d+", "77", source)


def imported_otherwise(source: str) -> str:
    return source.replace("import numpy as np", "import numpy as jnp").replace("np.", "jnp.")


CHANGES: list[Callable[[str], str]] = [renamed, reordered, reset, with_other_literals, imported_otherwise]


def all_of_it(source: str) -> str:
    for change in CHANGES:
        source = change(source)
    return source


@pytest.mark.parametrize("change", [*CHANGES, all_of_it])
def test_a_copy_is_found_however_it_was_changed(change: Callable[[str], str]) -> None:
    copy = change(SEVERAL_FUNCTIONS)
    assert copy != SEVERAL_FUNCTIONS
    found = compared(*HONEST, copy)
    assert found.clusters == ((HONEST.index(SEVERAL_FUNCTIONS), len(HONEST)),)
    (pair,) = found.pairs
    assert pair.share > 0.75
    assert pair.longest >= LONGEST


def test_a_part_that_was_copied_is_found_with_its_lines() -> None:
    """The softmax in loops, below other code, and nothing else of it."""
    victim = next(text for text in HONEST if "def get_weights" in text)
    part = victim[victim.index("def get_weights") : victim.index("def attention")]
    other = next(text for text in HONEST if "np.tensordot" in text).replace("def ", "\n\ndef ")
    found = compared(*HONEST, part.replace("highest", "top") + other[other.index("def attention") :])
    (pair,) = found.pairs
    run = max(pair.runs, key=lambda run: run.tokens)
    first = victim[: victim.index("def get_weights")].count("\n") + 1
    assert (run.left_first, run.right_first) == (first, 1)
    assert run.left_last - run.left_first == run.right_last - run.right_first
    assert 0 <= run.right_last - part.rstrip().count("\n") <= 4  # to where the next function begins alike


def test_a_ring_of_six_is_one_cluster_in_a_small_class_as_in_a_larger_one() -> None:
    ring = [renamed(SEVERAL_FUNCTIONS), reset(SEVERAL_FUNCTIONS), *[SEVERAL_FUNCTIONS] * 4]
    others = [text for text in HONEST if text != SEVERAL_FUNCTIONS]
    for count in (1, 4, len(others)):
        found = compared(*ring, *others[:count])
        assert found.clusters == (tuple(range(6)),), count


def test_copies_share_everything_whatever_their_numbers_are() -> None:
    numbers = [61, 40, 50, 7, *range(100, 120)]
    sources = [*[SEVERAL_FUNCTIONS] * 4, *HONEST[15:35]]
    found = resemblance_of({n: read_program(text) for n, text in zip(numbers, sources, strict=True)}, base())
    assert found.clusters == ((7, 40, 50, 61),)
    assert [pair.share for pair in found.pairs] == pytest.approx([1.0] * 6)


def test_forty_honest_solutions_make_no_cluster() -> None:
    assert len({*HONEST}) == 40
    assert compared(*HONEST).clusters == ()
    for begin in range(40):
        some = [HONEST[(begin + 7 * place) % 40] for place in range(9)]
        assert compared(*some).clusters == (), begin


def test_they_are_far_from_being_taken_for_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, least in {"SHARE": 0.0, "LONGEST": 0, "MARGIN_BITS": -1000.0}.items():
        monkeypatch.setattr(f"app.classes.resemblance.{name}", least)
    assert max(pair.share for pair in compared(*HONEST).pairs) < SHARE / 2


def test_the_exercises_own_code_is_nobodys() -> None:
    reference, starter = (EXERCISE / "reference.py").read_text(), (EXERCISE / "starter.py").read_text()
    found = compared(reference, renamed(reference), starter, starter, *(HONEST[:5]))
    assert found.pairs == ()
    assert {0, 1, 2, 3} <= found.too_short
    assert found.own[0] == found.own[2] == 0


def test_what_most_of_the_class_wrote_counts_for_nothing() -> None:
    """The lecture's softmax, in everybody's file: it makes two of them no more alike."""
    lecture = SEVERAL_FUNCTIONS[SEVERAL_FUNCTIONS.index("def hide") : SEVERAL_FUNCTIONS.index("def attention")]
    own = [text for text in HONEST if text != SEVERAL_FUNCTIONS]
    assert compared(*(f"{lecture}\n{text}" for text in own)).clusters == ()


def test_a_program_of_a_few_lines_is_too_short_and_no_match() -> None:
    short = "import numpy as np\ndef attention(x):\n    e = np.exp(x - np.amax(x))\n    return e / np.sum(e)\n"
    found = compared(short, short, *HONEST[:8])
    assert found.clusters == ()
    assert {0, 1} <= found.too_short
    assert found.own[0] < OWN


def test_a_class_of_copies_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 people with ten programs between them."""
    paired: list[int] = []  # in how many ways, of each fingerprint
    put_together: list[object] = []

    def counted_pairs(keys: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
        paired.append(comb(len(keys), size))
        return combinations(keys, size)

    def counted_runs(left: Program, right: Program, rare: Collection[int]) -> tuple[Run, ...]:
        put_together.append((left, right))
        return runs(left, right, rare)

    monkeypatch.setattr(resemblance, "combinations", counted_pairs)
    monkeypatch.setattr(resemblance, "runs", counted_runs)
    copied = [read_program(source) for source in HONEST[:10]]
    programs = {key: copied[key % 10] for key in range(400)}
    found = resemblance_of(programs, set())
    assert len(found.pairs) <= PAIRS_LISTED + len(programs)
    assert 0 < sum(paired) <= 2 * resemblance.PAIRS_BUDGET
    assert 0 < len(put_together) <= PAIRS_LISTED + len(programs)


def test_a_line_a_thousand_times_over_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []  # tokens
    extended = resemblance._extended

    def counted(*where: Any) -> tuple[int, int]:
        before, after = extended(*where)
        looked_at.append(before + after + 1)
        return before, after

    monkeypatch.setattr(resemblance, "_extended", counted)
    lines = ["x = x + 1", "y = f(y, x)[0]", "z = z if x else y"]
    programs = {key: read_program("\n".join(lines[key % 3 :] + lines * 600)) for key in range(6)}
    found = resemblance_of(programs, set())
    assert {key for pair in found.pairs for key in (pair.left, pair.right)} <= set(programs)
    looked_at.clear()
    assert runs(programs[0], programs[1], set(programs[0].grams))
    assert 0 < sum(looked_at) <= resemblance.TOKENS_BUDGET + 2 * len(programs[0])


def test_runs_never_overlap_and_are_the_same_tokens() -> None:
    left, right = read_program("\n".join(HONEST[:6])), read_program("\n".join(HONEST[3:9]))
    found = runs(left, right, set(left.grams))
    assert sum(run.tokens for run in found) >= sum(len(read_program(text)) for text in HONEST[3:6]) * 0.9
    for side in ("left", "right"):
        lines = sorted((getattr(run, f"{side}_first"), getattr(run, f"{side}_last")) for run in found)
        assert all(one[1] <= other[0] for one, other in pairwise(lines))


def test_own_tokens_are_those_outside_of_all_that_is_known() -> None:
    program: Program = read_program(HONEST[0])
    assert program.own_tokens(set()) == len(program)
    assert program.own_tokens({program.grams[0]}) == len(program) - K
    assert program.own_tokens({program.grams[0], program.grams[3]}) == len(program) - K - 3
    assert program.own_tokens(set(program.grams)) == 0

"""Exercise folders: read whole, faults named by file and line, hashes that change when a verdict can."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise import built
from graders.exercise.built import cases_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.own_input import read_inputs
from graders.exercise.reader import read_exercise
from graders.exercise.signature import Parameter, parse_type

from .conftest import DOUBLED_FILES, EXERCISES, judged, make_exercise, unhurried


def test_the_shipped_exercises_read(gather: Exercise, flax: Exercise) -> None:
    assert gather.frameworks == ("numpy", "jax", "torch")
    assert gather.signature.text(gather.entry) == (
        "learned_absolute_position_embedding(positions: float32[N, T], embedding_table: float32[max_len, d_model])"
        " -> float32[N, T, d_model]"
    )
    assert flax.frameworks == ("jax",)
    assert len(gather.mistakes) >= 5
    assert len(flax.mistakes) >= 5


@pytest.mark.parametrize(
    ("changed", "where", "says"),
    [
        ({"exercise_toml": "title = "}, "exercise.toml:1", "is not TOML"),
        ({"exercise_toml": 'title = "x"'}, "exercise.toml", "entry is missing"),
        ({"exercise_toml": 'title = "x"\nentry = "a b"'}, "exercise.toml:2", "is not a valid function name"),
        ({"exercise_toml": 'title = "x"\nentry = "f"\nframeworks = ["tensorflow"]'}, "exercise.toml:3", "'tensorflow'"),
        (
            {
                "exercise_toml": 'title = "x"\nentry = "doubled"\n[signature]\nx = "float32[N]"\n'
                'returns = "float32[N]"\n[warm]\njax = ["flatten(float32[N])"]'
            },
            "exercise.toml:7",
            "is for exercises in JAX",
        ),
        ({"exercise_toml": 'title = "x"\nentry = "f"'}, "exercise.toml", "has no returns"),
        (
            {"exercise_toml": 'title = "x"\nentry = "f"\n[signature]\nx = "float33[N]"\nreturns = "int"'},
            "exercise.toml:4",
            "float33[N]",
        ),
        (
            {"exercise_toml": 'title = "x"\nentry = "doubled"\ntimeout = 3\n[signature]\nreturns = "int"'},
            "exercise.toml:3",
            "timeout is not a key",
        ),
        ({"reference_py": "def doubled(x:\n"}, "reference.py:1", "does not compile"),
        ({"reference_py": "def tripled(x): pass\n"}, "reference.py", "does not define doubled"),
        ({"mistakes__silent_py": "def doubled(x): return x\n"}, "mistakes/silent.py:1", "has no docstring"),
        ({"mistakes__odd_py": "# verdict: accepted\n'''Told.'''\n"}, "mistakes/odd.py", "'accepted'"),
        ({"mistakes__odd_py": "# framework: caffe\n'''Told.'''\n"}, "mistakes/odd.py:1", "'caffe'"),
        (
            {
                "exercise_toml": DOUBLED_FILES["exercise.toml"].replace(', "torch"', ""),
                "solutions__torch_py": "def doubled(x):\n    return 2 * x\n",
            },
            "solutions/torch.py:1",
            "is named for 'torch'",
        ),
    ],
)
def test_a_fault_names_the_file_the_line_and_a_remedy(changed: dict[str, str], where: str, says: str) -> None:
    with pytest.raises(BrokenExercise) as broken:
        make_exercise(**changed)
    assert str(broken.value).startswith(where)
    assert says in str(broken.value)
    assert broken.value.hint


@pytest.mark.parametrize(
    ("path", "mark", "framework"),
    [
        ("solutions/torch.py", "", "torch"),
        ("solutions/jax-vmap.py", "", "jax"),
        ("solutions/by-hand.py", "", "numpy"),
        ("solutions/torch-to-jax.py", "", "numpy"),
        ("solutions/torches.py", "", "numpy"),
        ("solutions/torch.py", "# framework: jax\n", "jax"),
    ],
)
def test_a_file_named_for_a_framework_is_for_it_unless_it_is_marked(path: str, mark: str, framework: str) -> None:
    text = f"{mark}def doubled(x):\n    return 2 * x\n"
    (solution,) = make_exercise(**{path.replace("/", "__").replace(".py", "_py"): text}).solutions
    assert (solution.path, solution.framework) == (path, framework)
    mistake = path.replace("solutions", "mistakes")
    text = f'{mark}"""Told."""\n\n\ndef doubled(x):\n    return x\n'
    (known,) = make_exercise(**{mistake.replace("/", "__").replace(".py", "_py"): text}).mistakes
    assert known.source.framework == framework


def test_a_missing_file_and_a_link_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "doubled"
    folder.mkdir()
    with pytest.raises(BrokenExercise, match=r"exercise\.toml: is missing"):
        read_exercise(folder)
    (folder / "statement.md").symlink_to("/etc/passwd")
    with pytest.raises(BrokenExercise, match="symbolic link"):
        read_exercise(folder)


def test_words_change_the_content_hash_and_only_judging_changes_the_judging_hash() -> None:
    plain = make_exercise()
    reworded = make_exercise(statement_md="Double it, please.")
    assert reworded.content_hash != plain.content_hash
    assert reworded.judging_hash == plain.judging_hash
    for changed in (
        make_exercise(reference_py="def doubled(x):\n    return x + x\n"),
        make_exercise(exercise_toml=plain.files["exercise.toml"].decode() + "[tolerance]\nrtol = 1e-3\n"),
        make_exercise(mistakes__one_py="'''Told.'''\ndef doubled(x): return x\n"),
    ):
        assert changed.judging_hash != plain.judging_hash


def test_a_comma_in_the_statement_changes_no_case_and_the_slug_seeds_them(judge: Judge) -> None:
    def hidden(exercise: Exercise) -> list[float]:
        return [float(case.inputs["x"][0]) for case in cases_of(judge, exercise) if not case.sample]

    plain = hidden(make_exercise())
    assert hidden(make_exercise(statement_md="Double, it.", reference_py="def doubled(x): return x+x\n")) == plain
    assert hidden(make_exercise(slug="doubled-again")) != plain


@pytest.mark.parametrize(
    ("cases", "says"),
    [
        (
            "def sample_cases(rng):\n    yield 'a', {'x': 1.0}\ndef hidden_cases(rng):\n    yield from ()\n",
            "float32[N]",
        ),
        ("def sample_cases(rng):\n    raise KeyError('k')\ndef hidden_cases(rng): return []\n", "KeyError"),
        ("def sample_cases(rng):\n    yield from ()\ndef hidden_cases(rng):\n    yield from ()\n", "0 cases"),
        ("def sample_cases(rng):\n    yield from ()\n", "does not define hidden_cases"),
        ("import os\nos._exit(0)\n", "ended itself"),
    ],
)
def test_broken_cases_are_the_exercises_fault(judge: Judge, cases: str, says: str) -> None:
    with pytest.raises(BrokenExercise) as broken:
        cases_of(judge, make_exercise(cases_py=cases))
    assert says in str(broken.value)
    assert "cases.py" in str(broken.value)


def test_a_reference_that_returns_what_the_signature_does_not_declare_is_broken(judge: Judge) -> None:
    with pytest.raises(BrokenExercise, match="float64"):
        cases_of(judge, make_exercise(reference_py="def doubled(x):\n    return 2.0 * x.astype('float64')\n"))


def test_expected_outputs_are_kept_on_disk_and_a_spoiled_cache_is_built_again(tmp_path: Path, judge: Judge) -> None:
    exercise = make_exercise(reference_py="def doubled(x):\n    return x * 2  # kept\n")
    with Judge(tmp_path, ["numpy"], {"numpy": 1}) as first:
        expected = cases_of(first, exercise)[0].expected.tolist()
    (kept,) = tmp_path.glob("*.cases")
    kept.write_bytes(kept.read_bytes()[:-3])
    other = make_exercise(reference_py="def doubled(x):\n    return x * 2  # kept\n")
    built.forget_memory()
    with Judge(tmp_path, ["numpy"], {"numpy": 1}) as second:
        assert cases_of(second, other)[0].expected.tolist() == expected


def test_types_read_and_print_alike() -> None:
    for text in (
        "int", "float32[N, T]", "bfloat16[2*N, 3]", "tuple[int, float64[T]]", "dict[str, bool[N]]", "float32[]",
        "float32[...]", "float[N]", "float32[N, (H - k) // s + 1]", "list[list[str]]", "set[int]", "dict[int, any]",
        "{mean: float, mode: int}", "float32[N] | None", "int | str", "number", "list[int | None]", "list[float32[N]]",
    ):  # fmt: skip
        assert str(parse_type(text)) == text
    for text in (
        "list", "float32[f(N)]", "object", "float32[-1]", "import os", "list[int, int]", "dict[int]", "{}",
        "float32[N/2]",
        "int |", "set[]", "float32[..., 3]", "{1 + 1: int}",
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"type|dimension"):
            parse_type(text)


def test_ones_own_input_is_read_by_whitelist(gather: Exercise) -> None:
    read = read_inputs(gather, {"positions": "[[0, 2]]", "embedding_table": [[1, 2], [3, 4], [5, 6]]})
    assert read["positions"].dtype == "float32"
    assert read["embedding_table"].shape == (3, 2)
    with pytest.raises(ValueError, match="literal"):
        read_inputs(gather, {"positions": "open('/etc/passwd')", "embedding_table": "[[1]]"})
    with pytest.raises(ValueError, match="longer"):
        read_inputs(gather, {"positions": "[" * 70_000, "embedding_table": "[[1]]"})


@pytest.mark.parametrize(
    ("declared", "literal", "message"),
    [
        ("int32[N]", "[0, 1.5]", "holds 1.5, and .* takes whole numbers"),
        ("int32[N]", "[1e20]", "numbers"),
        ("uint8[N]", "[300]", "numbers"),
        ("bool[N]", "[0, 2]", "holds 2, and .* takes True or False"),
        ("int32[N]", "[float('nan')]", "holds nan, and .* takes whole numbers"),
    ],
)
def test_a_number_that_would_become_another_is_refused(
    gather: Exercise, declared: str, literal: str, message: str
) -> None:
    ids = Parameter("ids", declared, parse_type(declared))
    exercise = replace(gather, signature=replace(gather.signature, parameters=(ids,)))
    with pytest.raises(ValueError, match=message):
        read_inputs(exercise, {"ids": literal})
    assert read_inputs(exercise, {"ids": "[0, 1]"})["ids"].tolist() == [0, 1]


def test_shipped_folders_hold_nothing_else(gather: Exercise) -> None:
    assert {path.name for path in EXERCISES.iterdir() if path.is_dir()} >= {gather.slug, "flax-learned-pos"}


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_64_bits_arrive_and_leave_as_64_bits_where_the_signature_declares_them(judge: Judge, framework: str) -> None:
    softmax = read_exercise(EXERCISES / "softmax-rows")
    assert softmax.signature.is_wide
    assert not make_exercise().signature.is_wide
    result = judged(judge, softmax, "def solve(x):\n    print(x.dtype)\n    return x\n", framework)
    steps = [case.mismatch and case.mismatch.step for case in result.cases]
    speaking = sum(case.sample for case in result.cases) + 1  # and of the hidden cases the first
    assert set(steps[:speaking]) == {"closeness"}
    assert set(steps[speaking:]) == {None}
    assert {case.verdict for case in result.cases} == {"wrong_answer"}
    assert {case.stdout for case in result.cases if case.sample} <= {"float64\n", "torch.float64\n"}
    narrow = judged(
        judge, unhurried(make_exercise()), "def doubled(x):\n    print(x.dtype)\n    return 2 * x\n", framework
    )
    assert narrow.verdict == "accepted"
    assert "float32" in (narrow.cases[0].stdout or "")

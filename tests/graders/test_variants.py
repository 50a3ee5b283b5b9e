"""Variants: how they are declared and replaced, what is stored of them, and what the gate proves."""

from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import BrokenExercise
from graders.exercise.reader import exercise_from_files, read_exercise, require_ceilings
from graders.exercise.variants import MARKER, counterpart
from graders.proof.gate import admission_faults, prove
from graders.verdict import Verdict

from .conftest import DOUBLED_FILES, judged, make_exercise
from .varied import FACTORS, SCALED, answer, scaled, scaled_files


def test_each_variant_is_an_exercise_of_its_own_with_its_values_in_every_text() -> None:
    first = scaled()
    variants = (first, *first.others)
    assert [one.variant_words for one in variants] == ["by = 2", "by = 3", "by = 5"]
    for one, by in zip(variants, FACTORS, strict=True):
        assert one.statement == f"Multiply each number by {by}.\n"
        assert f"times {by}" in one.starter("numpy")
        assert f"x * {by}" in one.hints
        assert one.mistakes[0].feedback == f"You add {by}: multiply by it."
        assert b"{{" not in b"".join(one.files.values())
    assert len({one.judging_hash for one in variants}) == len({one.content_hash for one in variants}) == 3


def test_what_is_stored_alone_gives_the_variant_back() -> None:
    first = scaled()
    assert first.stored == scaled_files()
    for one in (first, *first.others):
        again = exercise_from_files(SCALED, one.stored)
        assert (again.variant, again.files, again.content_hash) == (one.variant, one.files, one.content_hash)
        assert again.judging_hash == one.judging_hash
    assert [one.stored.get(MARKER) for one in first.others] == [b"1", b"2"]


@pytest.mark.parametrize("mark", [b"0", b"3", b"-1", b"01", b"1\n", b"", "\N{SUPERSCRIPT TWO}".encode()])
def test_a_mark_that_names_no_variant_is_refused(mark: bytes) -> None:
    with pytest.raises(BrokenExercise, match="names no variant"):
        exercise_from_files(SCALED, {**scaled_files(), MARKER: mark})
    with pytest.raises(BrokenExercise, match="names no variant"):
        exercise_from_files("doubled", {**make_exercise().stored, MARKER: b"1"})


def test_no_folder_brings_a_mark(tmp_path: Path) -> None:
    folder = tmp_path / SCALED
    (folder / "mistakes").mkdir(parents=True)
    for name, content in {**scaled_files(), MARKER: b"2"}.items():
        (folder / name).write_bytes(content)
    read = read_exercise(folder)
    assert (read.variant, len(read.others)) == (0, 2)


def test_an_exercise_without_variants_is_what_it_always_was() -> None:
    plain = make_exercise(reference_py='def doubled(x):\n    return 2 * x  # f"{{x}}"\n')
    assert plain.files is plain.stored
    assert "{{x}}" in plain.reference.text, "only declared names are replaced"
    assert (plain.variant, plain.others, plain.variants.count, plain.variant_words) == (0, (), 1, "")
    assert make_exercise().judging_hash == "cde1b801ed61279970e2b2e11d46e533b142c7c2105944ed4037b49779f13276"


def test_values_may_stand_in_the_toml_where_only_a_number_can() -> None:
    toml = DOUBLED_FILES["exercise.toml"].replace("wall_seconds = 2", "wall_seconds = {{seconds}}")
    toml += '[variants] # {{seconds}}\nseconds = [\n  2,\n  4.5,\n]\nlabel = ["a b", "c"]\n[tolerance]\nrtol = 1e-3\n'
    made = make_exercise(exercise_toml=toml, reference_py="def doubled(x):\n    return x  # {{label}}{{other}}\n")
    assert [one.limits.wall_seconds for one in (made, *made.others)] == [2, 2, 4.5, 4.5]
    assert [one.reference.text.split("# ")[1] for one in made.others] == [
        "c{{other}}\n",
        "a b{{other}}\n",
        "c{{other}}\n",
    ]
    assert {one.tolerance.rtol for one in made.others} == {1e-3}


@pytest.mark.parametrize(
    ("variants", "told"),
    [
        ("", "variants must have 1 to 4 names"),
        ("by = [2, 3]\na = [1, 2]\nb = [1, 2]\nc = [1, 2]\nd = [1, 2]", "variants must have 1 to 4 names"),
        ("by = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "list of 2 to 8 values"),
        ("by = [1, 2, 3, 4, 5, 6, 7, 8]\nto = [1, 2, 3]", "makes 24 variants; 16 are allowed"),
        ("by = [2, 2.0]", "has two values that are equal"),
        ('by = [2, "2"]', "has two values that are equal"),
        ("by = [2, true]", "has the value True"),
        ("by = [2, inf]", "has the value inf"),
        ("by = [2, [3]]", "has the value"),
        ('by = [2, "3; import os"]', "has the value '3; import os'"),
        ('by = [2, " "]', "has the value ' '"),
        ("By = [2, 3]", "is not a name in lower case"),
        ("by = 2", "list of 2 to 8 values"),
        ("by = [2, 3", "is not TOML"),
        ("by = [2, 3]\nto = [4, 5]", "variants.to is used nowhere"),
    ],
)
def test_a_fault_of_the_section_names_its_line_and_a_remedy(variants: str, told: str) -> None:
    with pytest.raises(BrokenExercise) as raised:
        scaled(variants=variants)
    assert told in str(raised.value)
    assert raised.value.line is not None
    assert raised.value.line >= 11
    assert raised.value.hint


def test_a_name_must_change_what_is_judged_and_nothing_that_lists_show() -> None:
    with pytest.raises(BrokenExercise, match="by changes nothing that is judged"):
        scaled(reference_py=answer(2))
    toml = scaled_files()["exercise.toml"].decode().replace('"Scaled"', '"Times {{by}}"')
    with pytest.raises(BrokenExercise, match="2: title is not the same in every variant"):
        scaled(exercise_toml=toml)


def test_a_misspelt_name_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(BrokenExercise) as raised:
        scaled(variants="factor = [2, 3]", statement_md="Times\n{{facotr}}.\n", reference_py=answer("{{factor}}"))
    assert str(raised.value) == "statement.md:2: has {{facotr}}, which [variants] does not declare"
    assert raised.value.hint == "write {{factor}}, or declare facotr in [variants]"


def test_a_fault_of_one_variant_says_of_which() -> None:
    with pytest.raises(BrokenExercise, match=r"reference.py:2: does not compile: .*, with by = a b"):
        scaled(variants='by = ["2", "a b"]')


def test_values_make_no_text_larger_than_any_may_be() -> None:
    with pytest.raises(BrokenExercise, match=r"statement.md: is larger than 256 KiB with its values, with by = y{40}"):
        scaled(variants=f'by = [2, "{"y" * 40}"]', statement_md="{{by}}" * 20_000)


def test_no_variant_is_granted_more_than_the_operator_allows() -> None:
    toml = scaled_files()["exercise.toml"].decode().replace("wall_seconds = 10", "wall_seconds = {{by}}")
    with pytest.raises(BrokenExercise, match=r"wall_seconds is 5000, but .*, with by = 5000"):
        require_ceilings(scaled(exercise_toml=toml.replace("[2, 3, 5]", "[2, 5000]")))


def test_somebodys_variant_of_another_state_is_the_one_with_their_values() -> None:
    before, after = scaled(), scaled(variants="by = [7, 5, 2]")
    found = {old.variant_words: counterpart(old, after).variant_words for old in (before, *before.others)}
    assert found == {"by = 2": "by = 2", "by = 3": "by = 5", "by = 5": "by = 5"}, "else the same number"
    fewer = scaled(variants="by = [7, 8]")
    assert [counterpart(old, fewer).variant for old in before.others] == [1, 0]
    assert counterpart(before.others[1], make_exercise()).variant == 0


def test_the_gate_proves_every_variant_and_that_no_two_share_an_answer(judge: Judge, tmp_path: Path) -> None:
    folder = tmp_path / SCALED
    proved = prove(scaled(), judge, folder)
    assert [fault for fault in proved.faults if fault.severity == "error"] == []
    assert [line.partition(":")[0] for line in proved.findings if line.startswith("with by")] == [
        "with by = 3",
        "with by = 5",
    ]
    for by in FACTORS:
        variant = next(one for one in (scaled(), *scaled().others) if one.variants.values_of(one.variant) == {"by": by})
        verdicts = {other: judged(judge, variant, answer(other)).verdict for other in FACTORS}
        assert [other for other in FACTORS if verdicts[other] == Verdict.accepted] == [by]

    alike = prove(scaled(variants="by = [2, 2.0000001]"), judge, folder)
    (fault,) = [fault for fault in alike.faults if fault.severity == "error"]
    assert (fault.code, fault.path) == ("variants-alike", str(folder / "exercise.toml"))
    assert fault.line == 11
    assert fault.message.startswith("The reference with by = 2 is accepted with by = 2.0000001")

    solution = {**scaled_files(), "solutions/plain.py": answer(3).encode()}
    wrong = exercise_from_files(SCALED, solution)
    messages = [fault.message for fault in admission_faults(wrong, judge, folder)]
    assert len(messages) == 1
    assert messages[0].startswith("Must be accepted")
    last = exercise_from_files(
        SCALED, {**scaled_files(), "solutions/plain.py": b"def scaled(x):\n    return x * min({{by}}, 4)\n"}
    )
    (told,) = admission_faults(last, judge, folder)
    assert told.message.startswith("With by = 5: Must be accepted")

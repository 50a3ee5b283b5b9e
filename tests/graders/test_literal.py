"""Inputs as literals: what is written is read back as the same value, and is short enough to be changed by hand."""

import ast
from typing import Any

import numpy as np
import pytest

from graders.exercise.literal import MAX_CHARACTERS, Literals, example, literals
from graders.exercise.signature import Parameter, Signature, parse_type


def signature(**types: str) -> Signature:
    parameters = tuple(Parameter(name, type_, parse_type(type_)) for name, type_ in types.items())
    return Signature(parameters, "float32[N]", parse_type("float32[N]"))


def written(declared: Signature, **inputs: Any) -> Literals:
    return literals(declared, inputs, declared.bind(dict(inputs)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint64", "bool", "complex64"])
def test_an_array_is_read_back_to_the_bit(dtype: str) -> None:
    values = np.random.default_rng(1).normal(0, 30, (3, 4)).astype(dtype)
    text = written(signature(x=f"{dtype}[N, T]"), x=values).texts["x"]
    assert np.array_equal(np.array(ast.literal_eval(text), dtype=dtype), values)


def test_infinity_is_written_and_nan_is_left_to_the_student() -> None:
    declared = signature(x="float32[N]", y="float32[N]")
    texts = written(declared, x=np.array([np.inf, -np.inf], np.float32), y=np.array([0, np.nan], np.float32)).texts
    assert texts == {"x": "[1e999, -1e999]", "y": ""}


def test_small_arrays_stand_in_a_line_and_larger_ones_in_a_line_a_row() -> None:
    declared = signature(x="int32[N, T]")
    assert written(declared, x=np.array([[0, 1], [2, 3]], np.int32)).texts["x"] == "[[0, 1], [2, 3]]"
    lines = written(declared, x=np.full((4, 9), 1000, np.int32)).texts["x"].split("\n")
    assert [line[:2] for line in lines] == ["[[", " [", " [", " ["]


def test_what_is_too_large_is_cut_along_the_same_dimensions() -> None:
    declared = signature(x="float32[N, T]", mask="bool[T]", flat="float32[N*T]", T="int", seed="int")
    big: dict[str, Any] = {
        "x": np.zeros((50, 60), np.float32), "mask": np.ones(60, bool), "flat": np.zeros(3000, np.float32),
        "T": 60, "seed": 4711,
    }  # fmt: skip
    found = written(declared, **big)
    assert found.is_cut
    values = {name: ast.literal_eval(text) for name, text in found.texts.items()}
    n, t = np.shape(values["x"])
    assert np.shape(values["mask"]) == (t,)
    assert np.shape(values["flat"]) == (n * t,)
    assert (values["T"], values["seed"]) == (t, 4711)
    assert all(len(text) <= MAX_CHARACTERS for text in found.texts.values())


def test_what_cannot_be_cut_is_left_empty() -> None:
    found = written(signature(x="float32[4000]", n="int"), x=np.zeros(4000, np.float32), n=3)
    assert found == Literals({"x": "", "n": "3"}, True)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        ("float32[N, T]", "[[0.0, 1.0], [2.0, 3.0]]"),
        ("bool[3]", "[False, True, True]"),
        ("float32[768]", "[0.0, …]"),
        ("tuple[int, float32[N]]", "(3, [0.0, 1.0])"),
        ("dict[str, float32[N]]", "{'name': [0.0, 1.0]}"),
    ],
)
def test_an_example_of_each_type(type_: str, text: str) -> None:
    assert example(parse_type(type_)) == text


def test_faults_say_which_argument_and_what_would_be_right() -> None:
    from graders.exercise.own_input import input_faults

    declared = signature(positions="float32[N, T]", mask="bool[N, 4]", scale="float")
    exercise: Any = type("Only", (), {"signature": declared})
    assert input_faults(exercise, {"positions": "[[0, 1]]", "mask": "[[1, 1, 1, 1]]", "scale": "1"}) == {}
    faults = input_faults(exercise, {"positions": "[[0], [1]]", "mask": "[[1,1,1,1]] * 3", "scale": "[1]"})
    assert faults["mask"].startswith("mask is not a Python literal")
    assert faults["scale"].endswith("For example: 0.5")
    three = str([[True] * 4] * 3)
    assert input_faults(exercise, {"positions": "[[0], [1]]", "mask": three, "scale": "1"}) == {
        "mask": "N is 2 in positions but 3 in mask."
    }
    assert input_faults(exercise, {"positions": "[[0]]", "mask": "[[True]]", "scale": "1"}) == {
        "mask": "Axis 1 of mask has 1 entries; bool[N, 4] wants 4."
    }
    assert set(input_faults(exercise, {})) == {"positions", "mask", "scale"}
    assert "positions" in input_faults(exercise, {"positions": "[" * 5000})

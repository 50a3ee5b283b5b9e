"""Inputs as literals: what is written is read back as the same value, and is short enough to be changed by hand."""

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from graders.exercise.literal import MAX_CHARACTERS, Literals, example, literals
from graders.exercise.literal_reader import read_literal
from graders.exercise.own_input import input_faults, read_inputs
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


def test_infinity_and_nan_are_written_as_they_are_read() -> None:
    declared = signature(x="float32[N]", y="float32[N]", z="complex64[1]")
    x, y = np.array([np.inf, -np.inf], np.float32), np.array([0, np.nan], np.float32)
    texts = written(declared, x=x, y=y, z=np.array([complex("inf")], np.complex64)).texts
    assert texts == {"x": "[inf, -inf]", "y": "[0.0, nan]", "z": ""}
    for text, values in ((texts["x"], x), (texts["y"], y)):
        assert np.array_equal(np.array(read_literal(text), np.float32), values, equal_nan=True)


def taker(**types: str) -> Any:
    return type("Only", (), {"signature": signature(**types), "is_scripted": False})


NOT_FINITE = ["inf", "-inf", " + inf", "- Infinity", "nan", " -NaN ", "np.inf", "-math.inf", "float('-inf')", "1e999"]


@pytest.mark.parametrize("text", NOT_FINITE)
def test_infinity_and_nan_are_read_for_every_type_that_holds_floats(text: str) -> None:
    wanted = float(text.replace(" ", "").replace("np.", "").replace("math.", "").replace("float('-inf')", "-inf"))
    places: list[tuple[str, str, Callable[[Any], Any]]] = [
        ("float", text, lambda value: value),
        ("float | None", text, lambda value: value),
        ("float32[N]", f"[0, {text}]", lambda value: value[1]),
        ("float[N, T]", f"[[{text}, 1.5]]", lambda value: value[0, 0]),
        ("bfloat16[N]", f"[{text}]", lambda value: float(value[0])),
        ("complex64[N]", f"[{text}]", lambda value: value[0].real),
        ("list[float]", f"[1, {text}]", lambda value: value[1]),
        ("tuple[int, float]", f"(1, {text})", lambda value: value[1]),
        ("dict[str, float]", f"{{'a': {text}}}", lambda value: value["a"]),
        ("dict[str, float32[N]]", f"{{'a': [{text}]}}", lambda value: value["a"][0]),
    ]
    for type_, literal, place in places:
        assert input_faults(taker(x=type_), {"x": literal}) == {}, type_
        assert np.array_equal(place(read_inputs(taker(x=type_), {"x": literal})["x"]), wanted, equal_nan=True), type_


@pytest.mark.parametrize(
    ("type_", "text", "words"),
    [
        ("int", "inf", "x holds inf, and int takes whole numbers. For example: 3"),
        ("int", "-nan", "x holds nan, and int takes whole numbers. For example: 3"),
        ("int64[N]", "[1, -inf]", "x holds -inf, and int64[N] takes whole numbers. For example: [0, 1]"),
        ("int[N]", "[nan]", "x holds nan, and int[N] takes whole numbers. For example: [0, 1]"),
        ("list[int]", "[1, inf]", "x holds inf, and int takes whole numbers. For example: [3, 3]"),
        ("int | None", "nan", "x holds nan, and int | None takes whole numbers. For example: 3"),
        ("bool[N]", "[nan]", "x holds nan, and bool[N] takes True or False. For example: [False, True]"),
        ("float32[N]", "[1, y]", "x is not a Python literal: nothing knows the name 'y' here; write the value itself"),
        ("float32[N]", "[0.5 -inf]", "x is not a Python literal such as [[0, 1], [2, 3]]: nothing in it is computed"),
        ("float32[N]", "[ 0. 1.]", "put a comma between two numbers. For example: [0.0, 1.0]"),
        ("float32[N]", "[0, 1", "a bracket has no partner. For example: [0.0, 1.0]"),
        ("float", "float('x')", "x is not a Python literal"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why_and_what_would_be_right(type_: str, text: str, words: str) -> None:
    assert words in input_faults(taker(x=type_), {"x": text})["x"]


def test_a_word_stays_a_word_where_text_is_taken() -> None:
    for type_ in ("str", "str | None"):
        assert read_inputs(taker(x=type_), {"x": "nan"}) == {"x": "nan"}


def test_nothing_that_is_read_is_run() -> None:
    for text in ("__import__('os').getpid()", "np.load('x')", "np.float64", "inf.real", "[inf for _ in 'ab']"):
        with pytest.raises(ValueError, match="is not a Python literal"):
            read_literal(text)


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

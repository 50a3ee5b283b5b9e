"""The ladder: one fault at a time, in order, in words; and nothing wrong gets past it."""

import time
from typing import Any

import numpy as np
import pytest

from graders.exercise.limits import Tolerance
from graders.exercise.signature import parse_type
from graders.reasons.compare import compare, view

EXPECTED = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
DIMS = {"N": 2, "T": 3, "d_model": 4}


def found(actual: Any, expected: Any = EXPECTED, declared: str = "float32[N, T, d_model]", rtol: float = 1e-6) -> Any:
    return compare(expected, actual, parse_type(declared), DIMS, Tolerance(rtol, 1e-6))


def test_equal_is_none_also_at_the_edge_of_the_tolerance() -> None:
    assert found(EXPECTED.copy()) is None
    assert found(EXPECTED * np.float32(1 + 5e-7)) is None
    assert found(EXPECTED * np.float32(1 + 5e-6)) is not None


@pytest.mark.parametrize(
    ("actual", "step", "says"),
    [
        (None, "type", "returned nothing"),
        ([1, 2], "type", "expected an array float32 (N, T, d_model) = (2, 3, 4), yours is a list of 2"),
        ("text", "type", "yours is a str"),
        (EXPECTED[0], "shape", "expected shape (N, T, d_model) = (2, 3, 4), yours is (3, 4)"),
        (np.array(3, np.float32), "shape", "yours is ()"),
        (EXPECTED[:0], "shape", "yours is (0, 3, 4)"),
        (EXPECTED.astype(np.float64), "dtype", "expected dtype float32, yours is float64"),
        (EXPECTED + 0j, "dtype", "complex64"),
        (EXPECTED.astype(np.int32), "dtype", "int32"),
    ],
)
def test_each_step_says_expected_and_got(actual: Any, step: str, says: str) -> None:
    mismatch = found(actual)
    assert mismatch.step == step
    assert says in mismatch.text


def test_the_worst_index_both_values_and_how_many() -> None:
    actual = EXPECTED.copy()
    actual[0, 1, 2] += 0.01
    actual[1, 2, 3] = -5
    mismatch = found(actual)
    assert mismatch.step == "closeness"
    assert mismatch.index == (1, 2, 3)
    assert (mismatch.expected, mismatch.actual) == ("23.0", "-5.0")
    assert "2 of 24 values differ" in mismatch.text
    assert "off by 28" in mismatch.text


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
def test_not_a_number_never_equals_by_accident(strange: float) -> None:
    actual = EXPECTED.copy()
    actual[1, 0, 1] = strange
    mismatch = found(actual)
    assert mismatch.step == "non_finite"
    assert mismatch.index == (1, 0, 1)
    assert found(actual, actual) is None
    assert found(EXPECTED, actual).step == "non_finite"
    assert found(-actual, actual) is not None


def test_infinity_is_not_within_any_tolerance_of_a_number() -> None:
    expected = np.array([np.inf, 1], np.float32)
    assert found(np.array([3e38, 1], np.float32), expected, "float32[N]").step == "non_finite"
    assert found(np.array([-np.inf, 1], np.float32), expected, "float32[N]").step == "non_finite"


def test_whole_numbers_and_booleans_must_be_equal() -> None:
    expected = np.array([2**53, 5])
    assert found(expected.copy(), expected, "int64[N]") is None
    assert found(expected + 1, expected, "int64[N]").step == "closeness"
    truth = np.array([True, False])
    assert found(~truth, truth, "bool[N]").step == "closeness"


def test_an_imaginary_part_counts() -> None:
    expected = np.array([1 + 0j], np.complex64)
    assert found(np.array([1 + 1j], np.complex64), expected, "complex64[N]").step == "closeness"


def test_scalars_tuples_and_dicts() -> None:
    assert found(3, 3, "int") is None
    assert found(np.array(3), 3, "int") is None
    assert found(True, 1, "int").step == "type"
    assert found(3.0, 3, "int").step == "type"
    assert found(2.0000001, 2.0, "float") is None
    assert found(2.1, 2.0, "float").step == "closeness"
    assert found("b", "a", "str").step == "closeness"
    pair = (EXPECTED, 2)
    assert found((EXPECTED, 2), pair, "tuple[float32[N, T, d_model], int]") is None
    assert "result[1]" in found((EXPECTED, 3), pair, "tuple[float32[N, T, d_model], int]").text
    assert found((EXPECTED,), pair, "tuple[float32[N, T, d_model], int]").step == "type"
    assert found({"a": 1}, {"a": 1}, "dict[str, int]") is None
    assert found({"b": 1}, {"a": 1}, "dict[str, int]").step == "type"


def test_a_view_is_short_whatever_the_size() -> None:
    assert len(view(np.zeros((1000, 1000))).text) < 1600
    assert len(view(list(range(10_000))).text) < 1600
    assert view(EXPECTED).shape == (2, 3, 4)


def test_what_is_shown_costs_no_more_than_what_is_read() -> None:
    many = np.random.default_rng(0).random((4,) * 8).astype(np.float16)
    for value in (many, [many] * 1000, {f"k{n}": [many[0]] for n in range(5000)}, (many,)):
        began = time.thread_time()
        assert len(view(value).text) <= 1_502
        assert time.thread_time() - began < 1
    assert view((1, "two", [None])).text == "(1, 'two', [None])"
    assert view({"a": (1.5,)}).text == "{'a': (1.5,)}"

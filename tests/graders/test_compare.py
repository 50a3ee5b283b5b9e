"""The ladder: one fault at a time, in order, in words; and nothing wrong gets past it."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from graders.exercise.limits import Tolerance
from graders.exercise.signature import parse_type
from graders.reasons.compare import (
    arrays,
    arrays_of,
    children,
    compare,
    differing,
    odd_return,
    share_of_tolerance,
    shown,
    view,
)

EXPECTED = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
DIMS = {"N": 2, "T": 3, "d_model": 4}


def f32(values: Any) -> Any:
    return np.array(values, np.float32)


def found(actual: Any, expected: Any = EXPECTED, declared: str = "float32[N, T, d_model]", rtol: float = 1e-6) -> Any:
    return compare(expected, actual, parse_type(declared), DIMS, Tolerance(rtol, 1e-6))


@pytest.mark.parametrize("width", [np.float16, ml_dtypes.bfloat16])
def test_sixteen_bits_are_compared_to_their_own_last_digit(width: Any) -> None:
    """A tolerance finer than that would accept the same operations in the same order only."""
    expected = np.array([0.25, 1.0, -3.1], width)
    declared = parse_type(f"{expected.dtype.name}[N]")
    near, far = ((expected.view(np.uint16) + step).view(width) for step in (1, 3))
    for rtol in (1e-6, 0.0):
        tolerance = Tolerance(rtol, 1e-9)
        wants_these_very_numbers = rtol == 0
        assert (compare(expected, near, declared, {}, tolerance) is not None) == wants_these_very_numbers
        assert (share_of_tolerance(expected, near, declared, {}, tolerance) > 1) == wants_these_very_numbers
        assert compare(expected, far, declared, {}, tolerance) is not None
    wide = expected.astype(np.float32)
    assert compare(wide, wide * np.float32(1.0005), parse_type("float32[N]"), {}, Tolerance()) is not None


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


def test_what_is_shown_costs_no_more_than_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    array2string = np.array2string

    def noted(*arguments: Any, **options: Any) -> str:
        texts.append(array2string(*arguments, **options))
        return texts[-1]

    monkeypatch.setattr(np, "array2string", noted)
    many = np.random.default_rng(0).random((4,) * 8).astype(np.float16)
    for value in (many, [many] * 1000, {f"k{n}": [many[0]] for n in range(5000)}, (many,)):
        texts.clear()
        assert len(view(value).text) <= 1_502
        assert 0 < sum(map(len, texts)) < 10_000, "characters of numbers"
    assert view((1, "two", [None])).text == "(1, 'two', [None])"
    assert view({"a": (1.5,)}).text == "{'a': (1.5,)}"


# ------------------------------------------------------------------ word for word


@pytest.mark.parametrize(
    ("actual", "expected", "declared", "text"),
    [
        (None, 1, "int", "returned nothing (None): is a `return` missing?"),
        ((1, None), (1, 2), "tuple[int, int]", "In result[1]: returned nothing (None): is a `return` missing?"),
        (7, (1, 2), "tuple[int, int]", "expected a tuple of 2, yours is an int."),
        ((1,), (1, 2), "tuple[int, int]", "expected a tuple of 2, yours is a tuple of 1."),
        (7, {"a": 1}, "dict[str, int]", "expected a dict, yours is an int."),
        ({"b": 1, "a": 1}, {"a": 1}, "dict[str, int]", "expected the keys ['a'], yours are ['a', 'b']."),
        ({"a": 2}, {"a": 1}, "dict[str, int]", "In result['a']: expected 1, yours is 2."),
        (1.5, 1, "int", "expected an int, yours is a float."),
        (1, 1.5, "float", "1 of 1 values differ. expected 1.5, yours is 1.0 (off by 0.5, allowed 2.5e-06)."),
        (True, 1.0, "float", "expected a float, yours is a bool."),
        (1, True, "bool", "expected a bool, yours is an int."),
        (np.array(True), 1, "int", "expected an int, yours is an array bool ()."),
        (np.array([1]), 1, "int", "expected an int, yours is an array int64 (1,)."),
        ("b" * 100, "a", "str", f"expected 'a', yours is '{'b' * 79} …."),
        ("a", "b" * 100, "str", f"expected '{'b' * 79} …, yours is 'a'."),
        ({1, 4}, {1, 2, 3}, "set[int]", "your set is missing 2 and should not have 4 (2 missing, 1 too many)."),
        ({1}, {1, 2}, "set[int]", "your set is missing 2."),
        ({1, 2}, {1}, "set[int]", "your set should not have 2."),
        ({"b" * 100}, {"a" * 100}, "set[str]",
         f"your set is missing '{'a' * 79} … and should not have '{'b' * 79} …."),
        ((1, {2}), (1, {2, 3}), "tuple[int, set[int]]", "In result[1]: your set is missing 3."),
        (2.5, 2.0, "float",
         "1 of 1 values differ. expected 2.0, yours is 2.5 (off by 0.5, allowed 3e-06)."),
        (np.array([1, 5, 3]), np.array([1, 2, 4]), "int64[N]",
         "2 of 3 values differ. First at [1]: expected 2, yours is 5 (must be equal)."),
        (f32([[0, 2], [3, 7]]), f32([[1, 2], [3, 4]]), "float32[2, 2]",
         "2 of 4 values differ. Worst at [1, 1]: expected 4.0, yours is 7.0 (off by 3, allowed 5e-06)."),
        (f32([1, np.nan, np.inf]), f32([1, 2, 3]), "float32[N]",
         "[1] is nan, expected 2.0; 2 of 3 values are like this."),
        (f32([1, -np.inf, 3, 4]), f32([1, 2, -np.inf, np.nan]), "float32[N]",
         "[1] is -inf, expected 2.0; 1 of 4 values are like this, and 2 more differ in what is NaN or infinite."),
        (f32([[1]]), f32([1]), "float32[1]", "expected shape (1,), yours is (1, 1)."),
        (f32([1]), f32([1, 2]), "float32[N]", "expected shape (N,) = (2,), yours is (1,)."),
        ({"a": (1, np.array([4], np.int32))}, {"a": (1, f32([4]))}, "dict[str, tuple[int, float32[1]]]",
         "In result['a'][1]: expected dtype float32, yours is int32."),
    ],
)  # fmt: skip
def test_what_a_student_reads(actual: Any, expected: Any, declared: str, text: str) -> None:
    mismatch = found(actual, expected, declared)
    assert mismatch.text.removeprefix("In result: ") == text
    assert max(len(mismatch.expected), len(mismatch.actual)) <= 82


def test_what_could_not_leave_the_box_is_named() -> None:
    mismatch = odd_return("a generator", parse_type("float32[N]"))
    assert (mismatch.step, mismatch.expected, mismatch.actual) == ("type", "an array float32[N]", "a generator")
    assert mismatch.text == "Expected an array float32[N], yours is a generator."
    assert odd_return("a generator", parse_type("any")).text == "Expected a value, yours is a generator."
    assert odd_return("a set", parse_type("int")).text == "Expected a value of type int, yours is a set."


def test_numbers_of_a_framework_are_numbers() -> None:
    assert found(np.array(2.0, np.float32), 2.0, "float") is None
    assert found(np.array(True), True, "bool") is None
    assert found(np.array(2.0, np.float32), 2, "int").step == "type"
    assert found(np.array([2.0]), 2.0, "float").step == "type"


def test_an_empty_array_is_right_when_its_shape_and_dtype_are() -> None:
    empty = np.zeros((0, 3), np.float32)
    assert found(empty.copy(), empty, "float32[N, T]") is None
    assert found(empty.astype(np.float64), empty, "float32[N, T]").step == "dtype"


# ------------------------------------------------------------------ how much of the tolerance


@pytest.mark.parametrize(
    ("actual", "expected", "declared", "share"),
    [
        (f32([1, 0, np.inf]), f32([1, 0, np.inf]), "float32[N]", 0.0),
        (f32([0.5, 0]), f32([0, 0]), "float32[N]", 0.5),
        (f32([1, 0]), f32([1, 4]), "float32[N]", 2.0),  # 4 of 1 + 4 / 4
        (f32([0, -3]), f32([0, -4]), "float32[N]", 0.5),
        (np.array([3j], np.complex64), np.array([4j], np.complex64), "complex64[N]", 0.5),
        ((1, f32([1])), (1, f32([0])), "tuple[int, float32[N]]", 1.0),
        ((2.0, f32([0.25])), (0.0, f32([0])), "tuple[float, float32[N]]", 2.0),
        ({"b": 0.5, "a": 0.0}, {"a": 0.0, "b": 0.0}, "dict[str, float]", 0.5),
        (np.array([3]), np.array([3]), "int64[N]", 0.0),
        (np.array([4]), np.array([3]), "int64[N]", np.inf),
        (f32([np.nan]), f32([1]), "float32[N]", np.inf),
        (f32([np.nan]), f32([np.nan]), "float32[N]", 0.0),
        (np.array([1.0]), f32([1]), "float32[N]", np.inf),
        (np.zeros(0, np.float32), np.zeros(0, np.float32), "float32[N]", 0.0),
        ("same", "same", "str", 0.0),
    ],
)
def test_the_share_of_the_tolerance(actual: Any, expected: Any, declared: str, share: float) -> None:
    assert share_of_tolerance(expected, actual, parse_type(declared), {}, Tolerance(rtol=0.25, atol=1.0)) == share


# ------------------------------------------------------------------ which elements, and of which array


@pytest.mark.parametrize(
    ("expected", "actual", "wrong"),
    [
        (np.array([1, 2]), np.array([1, 3]), [False, True]),
        (np.array([2**53, 2]), np.array([2**53 + 1, 2]), [True, False]),
        (f32([1, 1, 1]), f32([1, 1.2, 1.3]), [False, False, True]),
        (f32([np.nan, np.inf, 1]), f32([np.nan, -np.inf, np.nan]), [False, True, True]),
        (np.array([1, 2]), f32([1.1, 3]), [False, True]),
        (np.array([1, 1], np.complex64), np.array([1 + 1j, 1], np.complex64), [True, False]),
    ],
)
def test_the_elements_that_differ(expected: Any, actual: Any, wrong: list[bool]) -> None:
    assert differing(expected, actual, Tolerance(rtol=0.125, atol=0.125)).tolist() == wrong


def kept(expected: Any, actual: Any, declared: str, samples: int = 1) -> Any:
    parsed, tolerance = parse_type(declared), Tolerance(1e-6, 1e-6)
    mismatch = compare(expected, actual, parsed, {}, tolerance)
    assert mismatch is not None
    return arrays(expected, actual, parsed, {}, tolerance, mismatch, samples)


def test_the_numbers_of_the_first_array_that_differs_are_kept() -> None:
    one, two, three = f32([1]), f32([1, 2]), f32([1, 3])
    both = kept((one, two, two), (one, three, three), "tuple[float32[1], float32[N], float32[N]]")
    assert (both.where, both.dims, both.worst) == ("[1]", ("N",), (1,))
    assert both.expected.array().tolist() == [1, 2]
    assert both.actual.array().tolist() == [1, 3]
    assert both.mask().tolist() == [False, True]
    assert kept({"a": two, "b": two}, {"b": three, "a": two}, "dict[str, float32[N]]").where == "['b']"


def test_arrays_of_two_shapes_are_kept_without_saying_where_they_differ() -> None:
    both = kept(f32([1, 2]), f32([1, 2, 3]), "float32[N]")
    assert (both.differing, both.worst) == (None, None)
    assert both.actual.array().tolist() == [1, 2, 3]


def test_of_what_is_no_array_no_numbers_are_kept() -> None:
    assert kept(f32([1]), [1], "float32[N]") is None
    assert kept(1, 2, "int") is None
    assert kept((1, f32([1])), (2, f32([1])), "tuple[int, float32[N]]") is None
    for odd in ((1,), 7, np.zeros(2)):
        assert kept((1, f32([1])), odd, "tuple[int, float32[N]]") is None
    assert kept({"a": f32([1])}, {"b": f32([1])}, "dict[str, float32[N]]") is None
    assert kept({"a": f32([1])}, 7, "dict[str, float32[N]]") is None


def test_sample_cases_share_what_a_submission_keeps() -> None:
    expected, actual = np.zeros(5000, np.float32), np.ones(5000, np.float32)
    assert kept(expected, actual, "float32[N]").expected.size == (4096,)
    assert kept(expected, actual, "float32[N]", samples=16).expected.size == (1024,)


def test_each_array_of_a_value_is_named() -> None:
    value = (f32([1]), {"k": np.zeros((2, 1), np.int64)}, 3)
    named = list(arrays_of(value, parse_type("tuple[float32[N], dict[str, int64[T, 1]], int]")))
    assert [(one.where, one.dims) for one in named] == [("[0]", ("N",)), ("[1]['k']", ("T", "1"))]
    assert named[1].block.array().tolist() == [[0], [0]]
    assert [one.dims for one in arrays_of(np.zeros((2, 3)), parse_type("float64[...]"))] == [("2", "3")]


@pytest.mark.parametrize(
    ("declared", "value", "parts"),
    [
        ("tuple[int, str]", (1, "a"), [(0, "int"), (1, "str")]),
        ("list[int]", [1, 2], [(0, "int"), (1, "int")]),
        ("dict[int, str]", {2: "a"}, [(2, "str")]),
        ("{mean: float}", {"mean": 1.0}, [("mean", "float")]),
        ("int", 1, []),
        ("float32[N]", f32([1]), []),
        ("set[int]", {1}, []),
    ],
)
def test_the_parts_of_a_value_have_their_types_and_a_number_has_none(
    declared: str, value: Any, parts: list[tuple[Any, str]]
) -> None:
    assert children(parse_type(declared), value) == [(key, parse_type(part)) for key, part in parts]


# ------------------------------------------------------------------ how a value is shown


def test_a_value_is_shown_as_numpy_shows_it() -> None:
    shown = view(np.arange(200, dtype=np.float32))
    assert (shown.shape, shown.dtype) == ((200,), "float32")
    assert "..." not in shown.text
    assert view(np.arange(201)).text == "[  0,   1,   2,   3, ..., 197, 198, 199, 200]"
    assert view(f32([1 / 3])).text == "[0.333333]"
    assert max(map(len, view(np.arange(200)).text.splitlines())) <= 72
    for dimensions, edge in ((3, 4), (4, 2), (5, 1), (8, 1)):
        first = view(np.full((9,) * dimensions, 7)).text.splitlines()[0]
        assert first.strip("[],") == ", ".join(["7"] * edge + ["..."] + ["7"] * edge)


def test_a_value_of_parts_is_shown_as_python_shows_it() -> None:
    assert (view([1, (2,), {"a": []}]).text, view([]).dtype, view([]).shape) == ("[1, (2,), {'a': []}]", "list", None)
    assert view((f32([1]), 2)).text == "(float32 [1.], 2)"
    assert (view("one").text, view(()).text) == ("'one'", "()")
    assert (view({2, 1}).text, view(set()).text, view([{0.5}]).text) == ("{1, 2}", "set()", "[{0.5}]")
    assert view("x" * 1498).text == repr("x" * 1498)
    assert view("x" * 1499).text == f"'{'x' * 1499} …"


def test_in_a_sentence_an_array_has_its_numbers_and_all_else_is_as_python_shows_it() -> None:
    assert shown(f32([1, 2])) == "[1., 2.]"
    assert shown((f32([1]), {"a": None})) == "(float32 [1.], {'a': None})"
    assert shown("x" * 1499) == view("x" * 1499).text


@pytest.mark.parametrize(
    ("declared", "expected", "right"),
    [
        ("float", 0.0, [0, 0.0, -0.0, np.array(0.0), np.array(0, np.int32)]),
        ("number", 2, [2, 2.0, np.array(2.0)]),
        ("int", 3, [3, np.array(3, np.int64)]),
        ("bool", True, [True, np.array(True)]),
        ("complex", 1j, [1j, np.array(1j)]),
        ("list[int]", [1, 2], [[1, 2], (1, 2)]),
        ("list[list[float]]", [[1.0], []], [[[1], []], ([1 + 1e-9], ())]),
        ("list[float32[N]]", [f32([1]), f32([1, 2])], [(f32([1]), f32([1, 2]))]),
        ("dict[int, str]", {1: "a", 2: "b"}, [{2: "b", 1: "a"}]),
        ("{mean: float, mode: int}", {"mean": 1.0, "mode": 2}, [{"mode": 2, "mean": 1}]),
        ("set[float]", {0.5, 2.0}, [{2, 0.5 + 1e-9}]),
        ("set[str]", {"a", "b"}, [{"b", "a"}]),
        ("int | None", None, [None]),
        ("int | str", "a", ["a"]),
        ("float[N]", f32([1.5]), [f32([1.5]), np.array([1.5]), np.array([1.5], np.float16)]),
        ("float32[...]", f32([[1]]), [f32([[1]])]),
        ("float32[]", f32(1.5), [f32(1.5)]),
        ("any", {"a": [1, 2.5, None], "b": (True, "x")}, [{"b": [True, "x"], "a": (1, 2.5, None)}]),
        ("any", 0.25, [np.array(0.25, np.float32), 0.25]),
    ],
)
def test_the_same_answer_in_other_clothes_is_right(declared: str, expected: Any, right: list[Any]) -> None:
    for actual in right:
        assert found(actual, expected, declared) is None, repr(actual)
        assert share_of_tolerance(expected, actual, parse_type(declared), DIMS, Tolerance()) <= 1


@pytest.mark.parametrize(
    ("declared", "expected", "wrong", "text"),
    [
        ("number", 2, "2", "expected a number, yours is a str."),
        ("number", 2, True, "expected a number, yours is a bool."),
        ("int", 1, 1.0, "expected an int, yours is a float."),
        ("float", 1.5, 10**400, f"expected 1.5, yours is 1{'0' * 79} …."),
        ("list[int]", [1, 2], [1], "expected 2 items, yours has 1 item."),
        ("list[int]", [1, 2], [1, 3], "In result[1]: expected 2, yours is 3."),
        ("list[int]", [1, 2], np.array([1, 2]), "expected a list of 2, yours is an array int64 (2,)."),
        ("list[list[float]]", [[1.0], [2.0]], [[1.0], [2.001]],
         "In result[1][0]: 1 of 1 values differ. expected 2.0, yours is 2.001 (off by 0.001, allowed 3e-06)."),
        ("dict[int, str]", {1: "a"}, {True: "a"}, "expected the keys [1], yours are [True]."),
        ("{mean: float}", {"mean": 1.0}, {"mean": 1.0, "n": 2},
         "expected the keys ['mean'], yours are ['mean', 'n']."),
        ("{mean: float, mode: int}", {"mean": 1.0, "mode": 2}, {"mode": 3, "mean": 1.0},
         "In result['mode']: expected 2, yours is 3."),
        ("set[int]", {1, 2}, {1, 3}, "your set is missing 2 and should not have 3."),
        ("set[int]", {1}, {True}, "your set is missing 1 and should not have True."),
        ("set[int]", {1, 2}, [1, 2], "expected a set of 2, yours is a list of 2."),
        ("int | None", None, 0, "expected None, yours is an int."),
        ("int | None", 3, None, "returned nothing (None): is a `return` missing?"),
        ("int | str", "3", 3, "expected a str, yours is an int."),
        ("float[N]", f32([1.5]), np.array([1]), "expected dtype float32, yours is int64."),
        ("float32[]", f32(1.5), 1.5, "expected an array float32 (), yours is a float."),
        ("any", [1.0, 2.0], "[1.0, 2.0]", "expected a list of 2, yours is a str."),
        ("any", f32([1]), np.array([1.0]), "expected dtype float32, yours is float64."),
        ("any", f32([1]), f32([[1]]), "expected shape (1,), yours is (1, 1)."),
        ("any", 1.23456, 1.235,
         "1 of 1 values differ. expected 1.23456, yours is 1.235 (off by 0.00044, allowed 2.23e-06)."),
    ],
)  # fmt: skip
def test_a_wrong_answer_of_any_type_is_told_by_its_place(declared: str, expected: Any, wrong: Any, text: str) -> None:
    assert found(wrong, expected, declared).text == text
    assert share_of_tolerance(expected, wrong, parse_type(declared), DIMS, Tolerance()) > 1


def test_an_array_of_any_rank_is_expected_in_numbers_alone() -> None:
    wrong = found(f32([1]), f32([[1]]), "float32[...]")
    assert wrong is not None
    assert wrong.expected == "(1, 1)"

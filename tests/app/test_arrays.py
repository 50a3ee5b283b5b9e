"""The numbers behind a wrong sample case: what is kept of them, what is drawn, and that hidden cases have none."""

import base64
import json
import math
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from app.practice.gradings import Grading
from app.practice.sheets import CaseSheet, read_cases
from app.settings import Settings
from app.web import heatmap
from app.web.arrays import Group, figure, figure_of_arrays
from graders.exercise.limits import Tolerance
from graders.exercise.samples import SampleCase
from graders.exercise.signature import parse_type
from graders.reasons.arrays import (
    MAX_ELEMENTS,
    TOTAL_BYTES,
    ArrayBlock,
    ComparedArrays,
    NamedArray,
    block_size,
    elements_each,
)
from graders.reasons.compare import arrays, arrays_of, compare, view
from graders.verdict import CaseResult, Verdict
from tests.conftest import Running, running
from tests.server_process import in_numpy_alone
from tests.waiting import until

GATHER = "learned-absolute-position-embedding"
EXERCISE = Path(__file__).resolve().parents[2] / "exercises" / GATHER
CLOSE = Tolerance(rtol=1e-6, atol=1e-6)


def compared(expected: Any, actual: Any, returns: str, samples: int = 3) -> ComparedArrays | None:
    declared = parse_type(returns)
    found = compare(expected, actual, declared, {}, CLOSE)
    assert found is not None, "the precondition: it is wrong"
    return arrays(expected, actual, declared, {}, CLOSE, found, samples)


def only_group(expected: Any, actual: Any, returns: str) -> Group:
    kept = compared(np.asarray(expected), np.asarray(actual), returns)
    assert kept is not None
    (group,) = figure(kept).groups
    return group


def reading(group: Group) -> dict[str, str]:
    return dict(zip((one.kind for one in group.maps), group.reading, strict=True))


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128"],
)
def test_a_block_is_read_back_as_it_was(dtype: str) -> None:
    array = np.arange(24).reshape(2, 3, 4).astype(dtype)
    block = ArrayBlock.of(array, 100)
    assert (block.dtype, block.shape, block.size, block.is_whole) == (dtype, (2, 3, 4), (2, 3, 4), True)
    assert block.array().tobytes() == array.tobytes()


@pytest.mark.parametrize("shape", [(), (1,), (5000,), (300, 70), (9, 9, 9, 9), (2,) * 8, (4,) * 8, (0, 7), (10**6,)])
def test_no_more_is_kept_than_the_cap(shape: tuple[int, ...]) -> None:
    size = block_size(shape, MAX_ELEMENTS)
    assert math.prod(size) <= MAX_ELEMENTS
    assert all(part <= whole for part, whole in zip(size, shape, strict=True))
    if math.prod(shape) <= MAX_ELEMENTS:
        assert size == shape
    else:
        assert math.prod(size) > MAX_ELEMENTS / 2 ** len(shape)


@pytest.mark.parametrize("worst", [0, 2500, 4999])
def test_a_part_of_a_large_array_holds_the_worst_element(worst: int) -> None:
    expected = np.zeros((5000, 3))
    actual = expected.copy()
    actual[worst, 1] = 7.0
    kept = compared(expected, actual, "float64[N, C]")
    assert kept is not None
    assert kept.worst == (worst, 1)
    assert not kept.expected.is_whole
    (group,) = figure(kept).groups
    assert group.index == (worst, 1)
    assert reading(group) == {"expected": "0.0", "yours": "7.0", "difference": "+7"}
    assert group.is_part
    assert group.differing.count("1") == 1
    assert re.fullmatch(r"N = 5000, \d+ to \d+ shown", group.axes[0].label)


@pytest.mark.parametrize("samples", [1, 3, 13, 100])
def test_all_samples_together_stay_small(samples: int) -> None:
    kept = compared(np.zeros((100, 100)), np.ones((100, 100)), "float64[N, C]", samples)
    assert kept is not None
    assert samples * len(json.dumps(kept.row())) < 1.5 * TOTAL_BYTES + 600 * samples
    assert elements_each(samples, 8, 8) <= MAX_ELEMENTS


def test_integers_are_exact_past_what_a_double_holds() -> None:
    big = 2**63 - 1
    group = only_group(np.array([big, 5]), np.array([big - 1, 5]), "int64[N]")
    assert reading(group) == {"expected": str(big), "yours": str(big - 1), "difference": "-1"}
    assert group.differing == "10"


def test_each_kind_of_number_is_told_in_its_own_words() -> None:
    group = only_group(np.array([True, False]), np.array([True, True]), "bool[N]")
    assert reading(group) == {"expected": "False", "yours": "True", "difference": "+1"}
    group = only_group(np.array([1 + 2j, 3]), np.array([1 + 2j, 3 + 4j]), "complex128[N]")
    assert reading(group) == {"expected": "(3+0j)", "yours": "(3+4j)", "difference": "+4"}
    assert group.legends[0].note == "magnitude"
    group = only_group(np.array([0.1], "float32"), np.array([0.2], "float32"), "float32[N]")
    assert reading(group) == {"expected": "0.1", "yours": "0.2", "difference": "+0.1"}


def test_what_is_not_finite_has_no_colour_and_is_marked_and_leaves_the_scale_alone() -> None:
    expected = np.array([[1.0, 2.0], [np.nan, -np.inf]])
    actual = np.array([[1.0, np.nan], [np.nan, np.inf]])
    group = only_group(expected, actual, "float64[N, C]")
    assert group.differing == "0101"
    yours = next(one for one in group.maps if one.kind == "yours")
    assert yours.texts == "1.0 nan nan inf"
    assert pixels(yours.image)[1].tolist() == [0, 0]
    assert yours.strange == "M1 0l1 1M1 1l1 -1" + "M0 1l1 1M0 2l1 -1" + "M1 2l1 -1"
    assert (group.legends[0].low, group.legends[0].high) == ("1", "2")
    difference = next(one for one in group.maps if one.kind == "difference")
    assert difference.texts.split()[::2] == ["0", "0"], "NaN where NaN is expected is no difference"


def test_expected_and_yours_share_a_scale_and_the_difference_has_its_middle_at_zero() -> None:
    group = only_group(np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[0.0, 1.0], [2.0, 9.0]]), "float64[N, C]")
    expected, yours, difference = (pixels(one.image) for one in group.maps)
    assert (group.legends[0].low, group.legends[0].high) == ("0", "9")
    assert expected[0].tolist() == yours[0].tolist()
    assert expected[1, 1] < yours[1, 1] == heatmap.STEPS
    assert difference.tolist() == [[heatmap.GREY, heatmap.GREY], [heatmap.GREY, heatmap.STEPS]]
    assert (group.legends[1].low, group.legends[1].high) == ("-6", "+6")


def test_the_slice_with_the_worst_element_is_the_one_that_is_drawn() -> None:
    expected = np.zeros((2, 3, 4), "float32")
    actual = expected.copy()
    actual[1, 2, 0] = 5
    group = only_group(expected, actual, "float32[N, T, d_model]")
    assert [axis.label for axis in group.axes] == ["N = 2", "T = 3", "d_model = 4"]
    assert group.has_slices
    assert not only_group(expected[:1], actual[:1] + 1, "float32[N, T, d_model]").has_slices
    assert (group.index, group.place) == ((1, 2, 0), (0, 2))
    assert group.maps[1].outline == "M0 2H1" + "M0 3H1" + "M0 2V3" + "M1 2V3"
    assert group.table[2][0] == ("5.0", "0.0", True)
    assert group.table[0][0] == ("0.0", "0.0", False)


def test_arrays_of_different_shapes_stand_alone() -> None:
    kept = compared(np.zeros((2, 3, 4), "float32"), np.ones((2, 12), "float32"), "float32[N, T, d_model]")
    assert kept is not None
    assert kept.differing is None
    drawn = figure(kept)
    assert "The shapes differ, (2, 3, 4) and (2, 12)" in drawn.sentences[0]
    assert [[one.kind for one in group.maps] for group in drawn.groups] == [["expected"], ["yours"]]
    assert [axis.label for axis in drawn.groups[1].axes] == ["axis 0 = 2", "axis 1 = 12"]


@pytest.mark.parametrize("shape", [(), (1,), (7,), (1, 1), (1, 7), (7, 1), (2, 2, 2, 2, 2)])
def test_any_number_of_dimensions_is_drawn(shape: tuple[int, ...]) -> None:
    dims = ", ".join("abcdefgh"[: len(shape)])
    expected, actual = np.zeros(shape), np.ones(shape)
    if shape:
        group = only_group(expected, actual, f"float64[{dims}]")
    else:
        kept = ComparedArrays.of("", (), expected, actual, np.array(True), (), 9)
        (group,) = figure(kept).groups
    assert group.rows * group.columns == math.prod(shape[-2:])
    assert reading(group) == {"expected": "0.0", "yours": "1.0", "difference": "+1"}


def test_no_elements_are_words() -> None:
    kept = compared(np.zeros((0, 4)), np.zeros((0, 4), "float32"), "float64[N, C]")
    assert kept is not None
    drawn = figure(kept)
    assert drawn.groups == ()
    assert drawn.sentences == ("There are no elements to show: the shape is (0, 4).",)


def test_a_dtype_alone_is_no_difference_of_values() -> None:
    kept = compared(np.ones(3), np.ones(3, "float32"), "float64[N]")
    assert kept is not None
    drawn = figure(kept)
    assert drawn.sentences == ("Every value agrees within the tolerance.",)
    assert [(one.kind, one.dtype) for one in drawn.groups[0].maps] == [("expected", "float64"), ("yours", "float32")]


def test_of_several_arrays_the_first_that_differs_is_shown() -> None:
    same, wrong = np.zeros(2), np.ones(2)
    kept = compared((same, {"mask": same}), (same, {"mask": wrong}), "tuple[float64[N], dict[str, float64[N]]]")
    assert kept is not None
    assert kept.where == "[1]['mask']"
    assert compared((same, 1), (same, 2), "tuple[float64[N], int]") is None, "a number alone needs no map"
    assert compared(same, [0.0, 0.0], "float64[N]") is None, "a list is no array"


def test_a_row_is_read_back_and_rows_from_before_there_were_figures_still_are() -> None:
    kept = compared(np.zeros((2, 2)), np.ones((2, 2)), "float64[N, C]")
    case = CaseResult("one", True, Verdict.wrong_answer, arrays=kept)
    row = json.loads(json.dumps(case.row()))
    assert CaseResult.from_row(row) == case
    assert "arrays" not in case.public()
    del row["arrays"]
    assert CaseResult.from_row(row).arrays is None


def test_the_numbers_at_the_ends_of_float64_are_drawn_too() -> None:
    most = float(np.finfo(np.float64).max)
    group = only_group(np.array([[-most, most]]), np.array([[most, most]]), "float64[N, C]")
    assert pixels(group.maps[0].image).tolist() == [[1, heatmap.STEPS]]


# ------------------------------------------------------------------ through the judge


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("arrays")
    only = (in_numpy_alone(GATHER, data),)
    settings = Settings(data=data, workers=1, rate_limits="off", exercises=only, lessons=(data / "none",))
    with running(settings) as server:
        yield server


def submitted(server: Running, client: Any, source: str) -> tuple[dict[str, Any], tuple[CaseResult, ...]]:
    """(what the API answers, the cases as they are kept)."""
    path = f"/api/v1/exercises/{GATHER}/submissions"
    answer = client.post(path, params={"wait": 30}, json={"source": source, "framework": "numpy"}).json()

    def is_finished() -> bool:
        if answer["state"] != "finished":
            answer.update(client.get(f"/api/v1/submissions/{answer['id']}").json())
        return bool(answer["state"] == "finished")

    until(is_finished, lambda: answer)
    with server.state.db.reading() as db:
        kept = select(Grading.cases, CaseSheet.cases).join(CaseSheet, CaseSheet.id == Grading.sheet_id)
        rows, sheet = db.execute(kept.where(Grading.submission_id == answer["id"])).one()
    return answer, read_cases(rows, sheet)


def samples_of(server: Running) -> list[SampleCase]:
    """Once the judge is there to make them."""
    with server.client() as client:
        until(lambda: client.get("/readyz").status_code == 200, "the judge is not there", look_seconds=0.1)
    return server.state.catalog.samples(server.state.catalog.exercises[GATHER], server.state.judge)


def test_only_wrong_sample_cases_have_arrays_and_hidden_ones_never_do(judging: Running) -> None:
    source = (EXERCISE / "reference.py").read_text().replace("return ", "return 0.8125 + ")
    with judging.guest() as client:
        answer, cases = submitted(judging, client, source)
        assert answer["verdict"] == "wrong_answer"
        hidden = [number for number, case in enumerate(cases, 1) if not case.sample]
        samples = [number for number, case in enumerate(cases, 1) if case.sample]
        assert hidden
        assert samples
        assert all(case.arrays for case in cases if case.sample)
        assert not any(case.arrays for case in cases if not case.sample)
        assert set(answer["cases"][0]) == {
            "name", "sample", "verdict", "wall_ms", "diagnosis", "stdout", "error", "mismatch"
        }  # fmt: skip
        page = client.get(f"/submissions/{answer['id']}").text
        assert page.count('/arrays" data-arrays-from') == len(samples) - 1
        assert page.count('/inputs" data-arrays-from') == len(samples)
        for number in samples:
            part = client.get(f"/submissions/{answer['id']}/cases/{number}/arrays", headers={"Lectern-Partial": "1"})
            assert part.status_code == 200
            assert part.text.startswith('<div class="figure">')
        for number in (*hidden, 0, -1, len(cases) + 1, 10**30):
            for what in ("arrays", "inputs"):
                path = f"/submissions/{answer['id']}/cases/{number}/{what}"
                assert client.get(path).status_code == 404, path
    with judging.guest() as other:
        for what in ("arrays", "inputs"):
            assert other.get(f"/submissions/{answer['id']}/cases/1/{what}").status_code == 404


def test_inputs_of_a_sample_case_are_those_that_it_was_called_with(judging: Running) -> None:
    wrong = (EXERCISE / "mistakes" / "ids-ignored.py").read_text()
    samples = samples_of(judging)
    with judging.guest() as client:
        answer, _ = submitted(judging, client, wrong)
        for number, sample in enumerate(samples, 1):
            path = f"/submissions/{answer['id']}/cases/{number}/inputs"
            drawn = client.get(path, headers={"Lectern-Partial": "1"}).text
            assert texts(drawn) == [as_texts(sample.arrays[name]) for name in ("positions", "embedding_table")]
            assert "d_model = 4" in drawn
            assert sample.name in client.get(path).text
        own = {"positions": "[[1.0, 0.0, 1.0, 1.0]]", "embedding_table": "[[7.5, 8.5], [9.5, 6.5]]"}
        body = {"source": wrong, "framework": "numpy", "kind": "run", "input": own}
        run = client.post(f"/api/v1/exercises/{GATHER}/submissions", params={"wait": 30}, json=body).json()
        drawn = client.get(f"/submissions/{run['id']}/cases/1/inputs", headers={"Lectern-Partial": "1"}).text
        assert texts(drawn) == ["1.0 0.0 1.0 1.0", "7.5 8.5 9.5 6.5"]
        body = {"source": wrong, "framework": "numpy", "kind": "trace", "case": samples[2].name}
        trace = client.post(f"/api/v1/exercises/{GATHER}/submissions", params={"wait": 30}, json=body).json()
        drawn = client.get(f"/submissions/{trace['id']}/cases/1/inputs", headers={"Lectern-Partial": "1"}).text
        assert texts(drawn)[0] == as_texts(samples[2].arrays["positions"])


def test_the_statements_samples_are_drawn_and_nothing_beyond_them(judging: Running) -> None:
    samples = judging.state.catalog.samples(judging.state.catalog.exercises[GATHER], judging.state.judge)
    path = f"/exercises/{GATHER}/samples"
    with judging.client() as nobody:
        page = nobody.get(f"/exercises/{GATHER}").text
        assert page.count("data-arrays-from") == len(samples) + 2, "the tables and the two larger outputs"
        assert "/samples/1/positions" not in page, "three numbers are as quick to read"
        for number, sample in enumerate(samples, 1):
            for name in ("positions", "embedding_table", "returns"):
                drawn = nobody.get(f"{path}/{number}/{name}", headers={"Lectern-Partial": "1"}).text
                assert texts(drawn) == [as_texts(sample.arrays[name])]
        for beyond in (0, -1, len(samples) + 1, 10**30):
            assert nobody.get(f"{path}/{beyond}/returns").status_code == 404, beyond
        assert nobody.get(f"{path}/1/expected").status_code == 404


def test_arrays_that_are_not_compared_each_have_their_own_scale() -> None:
    value = (np.arange(6.0).reshape(2, 3), {"mask": np.array([True, False]), "none": np.zeros((0, 2))})
    declared = parse_type("tuple[float64[T, d_model], dict[str, bool[T]]]")
    with pytest.raises(AttributeError):
        list(arrays_of((1, {}), declared))  # the precondition: what is given has its declared type
    parts = tuple(arrays_of(value, parse_type("tuple[float64[T, d_model], dict[str, float64[T, C]]]")))
    assert [part.where for part in parts] == ["[0]", "[1]['mask']", "[1]['none']"]
    drawn = figure_of_arrays({"x": view(value), "n": view(3)}, {"x": parts[::2]}, whole=False)
    assert [one.title for group in drawn.groups for one in group.maps] == ["x[0]"]
    assert [axis.label for axis in drawn.groups[0].axes] == ["T = 2", "d_model = 3"]
    assert (drawn.groups[0].legends[0].low, drawn.groups[0].legends[0].high) == ("0", "5")
    assert drawn.sentences == ("x[1]['none'] has no elements: its shape is (0, 2).", "n = 3")


def test_a_page_without_a_script_has_a_large_slice_in_its_table() -> None:
    array = np.zeros((40, 40), "float32")
    parts = {"x": tuple(arrays_of(array, parse_type("float32[T, C]")))}
    tables = [figure_of_arrays({"x": view(array)}, parts, whole=whole).groups[0].table for whole in (False, True)]
    assert [len(table) for table in tables] == [0, 40]


def test_an_accepted_submission_carries_none_of_it(judging: Running) -> None:
    with judging.guest() as client:
        answer, cases = submitted(judging, client, (EXERCISE / "reference.py").read_text())
        assert answer["verdict"] == "accepted"
        assert not any(case.arrays for case in cases)
        assert "data-arrays" not in client.get(f"/submissions/{answer['id']}").text
        assert client.get(f"/submissions/{answer['id']}/cases/1/arrays").status_code == 404


def texts(html: str) -> list[str]:
    """All numbers of each map of a page, in their order."""
    return re.findall(r'data-texts="([^"]*)"', html)


def as_texts(parts: tuple[NamedArray, ...]) -> str:
    (part,) = parts
    return " ".join(part.block.array().ravel().astype(str).tolist())


def pixels(uri: str) -> Any:
    """The palette's indices of a PNG as this project writes them."""
    body = base64.b64decode(uri.removeprefix("data:image/png;base64,"))
    width, height = struct.unpack(">II", body[16:24])
    at = body.index(b"IDAT")
    (length,) = struct.unpack(">I", body[at - 4 : at])
    rows = np.frombuffer(zlib.decompress(body[at + 4 : at + 4 + length]), np.uint8).reshape(height, width + 1)
    return rows[:, 1:]

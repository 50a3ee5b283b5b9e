"""The sample cases as data: every number, to the last bit, and no other case."""

import json
import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from lectern_cli.test_samples import read

from app.practice.samples import NotPortable, count_numbers, portable
from tests.conftest import Serve


@pytest.mark.parametrize(
    "value",
    [
        None, True, 2**60, "text", [1, [2.5]], (1, (2,)), {"a": {1: 2}}, {1, 2}, 1 + 2j, 0.1, -0.0, math.inf, -math.inf,
    ],
    ids=repr,
)  # fmt: skip
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    back = read(json.loads(json.dumps(portable(value), allow_nan=False)), "numpy")
    assert repr(back) == repr(value)


@pytest.mark.parametrize("dtype", ["bool", "int64", "uint64", "float16", "float32", "float64", "bfloat16", "complex64"])
def test_an_array_comes_back_to_the_last_bit(dtype: str) -> None:
    type_ = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    value = np.random.default_rng(0).standard_normal((2, 3)).astype(type_)
    if dtype in ("int64", "uint64"):
        value[0, 0] = np.iinfo(dtype).max
    elif dtype != "bool":
        value[0] = [math.nan, math.inf, -0.0]
    back = read(json.loads(json.dumps(portable(value), allow_nan=False)), "numpy")
    assert (back.dtype, back.shape) == (value.dtype, value.shape)
    assert back.tobytes() == value.tobytes()


def test_what_has_no_form_is_refused_and_everything_is_counted() -> None:
    with pytest.raises(NotPortable):
        portable([object()])
    assert count_numbers([np.zeros((3, 4)), "four", {"a": (1, 2)}]) == 1 + 12 + 4 + 1 + 1 + 2


def test_a_server_without_a_judge_says_so(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        answer = client.get("/api/v1/exercises/softmax-rows/samples")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "judge_unavailable")
        assert client.get("/api/v1/exercises/nowhere/samples").status_code == 404

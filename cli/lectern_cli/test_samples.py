"""The sample cases, on your own machine: run `pytest` in this folder. Your code is in solution.py.

This compares as the judge does: values by their structure, floats within the tolerance, arrays by shape and dtype too.
The judge has more cases than these.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
SAMPLES = HERE / "samples.json"
EXERCISE: dict[str, Any] = json.loads(SAMPLES.read_text("utf-8")) if SAMPLES.exists() else {"cases": []}
TOLERANCE: dict[str, float] = {}  # of the case that is tested


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """`provided` and `data/` are found as the judge's boxes find them."""
    monkeypatch.chdir(HERE)
    monkeypatch.syspath_prepend(HERE)


@pytest.fixture
def written() -> dict[str, Any]:
    """What you write: the functions and classes that the exercise asks for, by name."""
    if EXERCISE["framework"] == "jax" and EXERCISE["wide"]:
        import jax

        jax.config.update("jax_enable_x64", True)
    spec = importlib.util.spec_from_file_location(f"solution_of_{HERE.name}", HERE / "solution.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    missing = [name for name in EXERCISE["entries"] if not hasattr(module, name)]
    assert not missing, f"solution.py has no {', '.join(missing)}"
    return {name: getattr(module, name) for name in EXERCISE["entries"]}


@pytest.mark.parametrize("case", EXERCISE["cases"], ids=lambda case: str(case["name"]))
def test_sample(written: dict[str, Any], case: dict[str, Any]) -> None:
    framework = EXERCISE["framework"]
    TOLERANCE.update(case.get("tolerance") or EXERCISE["tolerance"])
    if "script" in case:
        values = {name: read(value, framework) for name, value in case["values"].items()}
        steps = run(case["script"], {**written, **values})
        difference = steps_differ(case["expected"], steps)
    else:
        arguments = [read(value, framework) for value in case["arguments"]]
        step = outcome_of(lambda: written[EXERCISE["entries"][0]](*arguments))
        if "expected" not in case:
            pytest.skip("Many answers are right here: only the judge can tell whether yours is.")
        difference = step_differs(case["expected"], step, "the result")
    assert difference is None, difference


# A step is what one statement, or the call, came to: {"value": …} or {"raised": name, "message": …}. What the reference
# came to has its values as samples.json writes them, and {"odd": true} for an object that only its own class compares.


def outcome_of(call: Any) -> dict[str, Any]:
    """An exception that is the expected answer is one; any other passes, with its traceback."""
    try:
        return {"value": call()}
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        if not set(kinds) & set(EXERCISE["raises"]):
            raise
        return {"raised": kinds, "message": str(error)}


def run(script: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The value of each expression statement, with its line; the exception that ends the script is the last."""
    scope = {"__builtins__": builtins, "__name__": "script", **names}
    steps = []
    for statement in ast.parse(script).body:
        is_value = isinstance(statement, ast.Expr)
        code = compile(ast.Expression(statement.value) if isinstance(statement, ast.Expr) else
                       ast.Module([statement], []), "script", "eval" if is_value else "exec")  # fmt: skip
        step = outcome_of(lambda code=code: eval(code, scope))  # noqa: S307 (the exercise's own script)
        if is_value or "raised" in step:
            steps.append({"line": statement.lineno, **step})
        if "raised" in step:
            break
    return steps


def steps_differ(expected: list[dict[str, Any]], actual: list[dict[str, Any]]) -> str | None:
    for e, a in zip(expected, actual):
        if difference := step_differs(e, a, f"line {e['line']}"):
            return difference
    return (
        None if len(expected) == len(actual) else f"{len(expected)} answers are expected, but there are {len(actual)}"
    )


def step_differs(expected: dict[str, Any], actual: dict[str, Any], where: str) -> str | None:
    if "odd" in expected:
        return None
    if "raised" in expected or "raised" in actual:
        e, a = expected.get("raised", "a value"), actual.get("raised", ["a value"])
        if e not in a:
            return f"{where} should be {e}, but is {a[0]}"
        if EXERCISE["messages"] and expected["message"] != actual["message"]:
            return f"{where} should say {expected['message']!r}, but says {actual['message']!r}"
        return None
    return differs(read(expected["value"], "numpy"), actual["value"], where)


def read(value: Any, framework: str) -> Any:
    """A value of samples.json; its arrays are the framework's."""
    if isinstance(value, list):
        return [read(item, framework) for item in value]
    if not isinstance(value, dict):
        return value
    (kind, inside), *_ = value.items()
    if kind == "float":
        return float(inside)
    if kind == "complex":
        return complex(*(read(part, framework) for part in inside))
    if kind == "dict":
        return {read(key, framework): read(item, framework) for key, item in inside}
    if kind in ("tuple", "set"):
        return {"tuple": tuple, "set": set}[kind](read(item, framework) for item in inside)
    assert kind == "array", f"samples.json has a value of the kind {kind!r}: update lectern-cli, and get it again"
    return array(inside["dtype"], inside["shape"], [read(number, framework) for number in inside["values"]], framework)


def array(dtype: str, shape: list[int], numbers: list[Any], framework: str) -> Any:
    if framework == "torch":
        import torch

        return torch.tensor(numbers, dtype=getattr(torch, dtype)).reshape(shape)
    import numpy as np

    if dtype == "bfloat16":
        import ml_dtypes

        plain = np.array(numbers, np.float64).astype(ml_dtypes.bfloat16).reshape(shape)
    else:
        plain = np.array(numbers, dtype).reshape(shape)
    if framework != "jax":
        return plain
    import jax.numpy as jnp

    return jnp.asarray(plain)


def differs(expected: Any, actual: Any, where: str) -> str | None:
    """What is different, in words; None if nothing is."""
    if hasattr(expected, "shape"):
        return array_differs(expected, actual, where)
    actual = as_python(actual)
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return f"{where} should be a {type(expected).__name__} of {len(expected)}, but is {actual!r}"
        pairs = ((e, a, f"{where}[{n}]") for n, (e, a) in enumerate(zip(expected, actual)))
        return next(filter(None, (differs(*pair) for pair in pairs)), None)
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or actual.keys() != expected.keys():
            return f"{where} should have the keys {list(expected)}, but is {actual!r}"
        items = ((value, actual[key], f"{where}[{key!r}]") for key, value in expected.items())
        return next(filter(None, (differs(*item) for item in items)), None)
    if isinstance(expected, (float, complex)) and is_number(actual):
        same = is_close(expected, actual)
    else:
        same = type(expected) is type(actual) and expected == actual
    return None if same else f"{where} should be {expected!r}, but is {actual!r}"


def array_differs(expected: Any, actual: Any, where: str) -> str | None:
    if not hasattr(actual, "shape") or not hasattr(actual, "dtype"):
        return f"{where} should be an array, but is {actual!r}"
    dtype = str(actual.dtype).rpartition(".")[2]
    if tuple(actual.shape) != expected.shape:
        return f"{where} should have the shape {expected.shape}, but has {tuple(actual.shape)}"
    if dtype != expected.dtype.name:
        return f"{where} should have the dtype {expected.dtype.name}, but has {dtype}"
    wrong = [n for n, (e, a) in enumerate(zip(numbers_of(expected), numbers_of(actual))) if not is_close(e, a)]
    if not wrong:
        return None
    at = where_in(expected.shape, wrong[0])
    e, a = numbers_of(expected)[wrong[0]], numbers_of(actual)[wrong[0]]
    return f"{where} has {len(wrong)} of {expected.size} values wrong; the first is {a!r} at {at}, but should be {e!r}"


def numbers_of(values: Any) -> list[Any]:
    """The elements in C order, as Python's numbers."""
    if hasattr(values, "detach"):
        return list(values.detach().cpu().reshape(-1).tolist())
    import numpy as np

    plain = np.asarray(values).ravel()
    return list((plain.astype(np.float64) if plain.dtype.name == "bfloat16" else plain).tolist())


def where_in(shape: tuple[int, ...], place: int) -> list[int]:
    index = []
    for size in reversed(shape):
        place, at = divmod(place, size)
        index.append(at)
    return index[::-1]


def as_python(value: Any) -> Any:
    """A number of NumPy or a framework is Python's."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def is_close(expected: Any, actual: Any) -> bool:
    if isinstance(expected, complex) or isinstance(actual, complex):
        pair = (complex(expected), complex(actual))
        return is_near(pair[0].real, pair[1].real, abs(pair[0])) and is_near(pair[0].imag, pair[1].imag, abs(pair[0]))
    if isinstance(expected, float):
        return is_near(expected, float(actual), abs(expected))
    return bool(expected == actual)


def is_near(expected: float, actual: float, size: float) -> bool:
    if math.isnan(expected) or math.isinf(expected):
        return expected == actual or (math.isnan(expected) and math.isnan(actual))
    return abs(expected - actual) <= TOLERANCE["atol"] + TOLERANCE["rtol"] * size

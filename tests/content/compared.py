"""Compares exercises' references with another computation, on all of their cases: in a process of its own, since both
import frameworks.

    python -c "from tests.content.compared import main; main()" FOLDER…

Prints one object: for each exercise how many sample and hidden cases there are, or where the two differ.
"""

import ast
import importlib
import json
import runpy
import sys
import tomllib
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def agree(ours: Any, other: Any, rtol: float, atol: float) -> bool:
    """Arrays of the same shape whose numbers are close; of several, each. NaN agrees with NaN."""
    if isinstance(ours, tuple | list) or isinstance(other, tuple | list):
        return len(ours) == len(other) and all(
            agree(one, two, rtol, atol) for one, two in zip(ours, other, strict=True)
        )
    if isinstance(ours, dict):
        return set(ours) == set(other) and all(agree(ours[key], other[key], rtol, atol) for key in ours)
    if isinstance(ours, str) or ours is None:
        return bool(ours == other)
    one, two = np.asarray(plain(ours)), np.asarray(plain(other))
    if one.dtype.kind not in "biufc" or two.dtype.kind not in "biufc":
        return bool(np.array_equal(one, two))
    if one.shape != two.shape:
        return False
    return bool(np.allclose(one.astype(np.float64), two.astype(np.float64), rtol, atol, equal_nan=True))


class Script:
    """What `script` makes of a case's statements in `cases.py`."""

    def __init__(self, text: str, **values: Any) -> None:
        self.text, self.values = text, values


def of_framework(framework: str, value: Any) -> Any:
    """Arrays as the framework's, as the judge hands them over; all else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    if framework == "torch":
        import torch

        return torch.from_numpy(value.copy())
    if framework == "jax":
        import jax.numpy as jnp

        return jnp.asarray(value)
    return value


def plain(value: Any) -> Any:
    """A tensor as an array."""
    return value.detach().numpy() if hasattr(value, "detach") else value


def outcome_of(function: Callable[..., Any], inputs: dict[str, Any]) -> Any:
    """What it returns; or the name of what it raises, where the exercise asks for an exception."""
    try:
        return function(**inputs)
    except Exception as error:  # noqa: BLE001 (which one it is, is the outcome)
        return type(error).__name__


def with_inputs(script: Script, found: Any) -> Any:
    """What `expected` says of a script: each of its values; or, where it knows the function alone, the function's
    value, with the inputs that the script then looks at again, which must be what they were."""
    if isinstance(found, list):
        return found
    looks = [node.value for node in ast.parse(script.text.strip()).body[1:] if isinstance(node, ast.Expr)]
    values = [eval(compile(ast.Expression(look), "script", "eval"), dict(script.values)) for look in looks]
    return [found, *values]


def values_of(script: Script, names: dict[str, Any], framework: str) -> list[Any]:
    """The values of the statements that are expressions; an exception ends them, by its name."""
    found = list[Any]()
    place = {**names, **{name: of_framework(framework, value) for name, value in script.values.items()}}
    for statement in ast.parse(script.text.strip()).body:
        try:
            if isinstance(statement, ast.Expr):
                found.append(eval(compile(ast.Expression(statement.value), "script", "eval"), place))
            else:
                exec(compile(ast.Module([statement], []), "script", "exec"), place)
        except Exception as error:  # noqa: BLE001 (which one it is, is the value)
            return [*found, type(error).__name__]
    return found


def compared(folder: Path) -> list[int]:
    """How many sample and hidden cases the exercise has. Raises AssertionError, with the case, where the reference and
    `tests.content.independent` differ."""
    module = importlib.import_module(f"tests.content.independent.{folder.name.replace('-', '_')}")
    settings = tomllib.loads((folder / "exercise.toml").read_text())
    tolerance = settings.get("tolerance", {})
    rtol, atol = max(tolerance.get("rtol", 1e-5), 1e-6), max(tolerance.get("atol", 1e-6), 1e-6)
    framework = settings["frameworks"][0]
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "provided"]:
        del sys.modules[name]  # another exercise's
    try:
        names = runpy.run_path(str(folder / "reference.py"))
        entry = names[settings["entry"]] if isinstance(settings["entry"], str) else None
        cases = runpy.run_path(str(folder / "cases.py"), {"script": Script})
        counts = []
        for kind in ("sample_cases", "hidden_cases"):
            found = list(cases[kind](np.random.default_rng(zlib.crc32(folder.name.encode()))))
            counts.append(len(found))
            for case in found:
                name, inputs = case[0], case[1]
                if isinstance(inputs, Script):
                    ours = values_of(inputs, names, framework)
                    other = with_inputs(inputs, module.expected(**inputs.values))
                else:
                    assert entry is not None
                    mine = {key: of_framework(framework, value) for key, value in inputs.items()}
                    ours, other = outcome_of(entry, mine), outcome_of(module.expected, inputs)
                own = case[2] if len(case) > 2 else {}
                if not agree(ours, other, own.get("rtol", rtol), own.get("atol", atol)):
                    raise AssertionError(f"{name}: the reference says {ours!r}, the other computation {other!r}")
        return counts
    finally:
        sys.path.remove(str(folder))


def main() -> None:
    found: dict[str, list[int] | str] = {}
    for folder in map(Path, sys.argv[1:]):
        try:
            found[folder.name] = compared(folder)
        except Exception:  # noqa: BLE001 (told of by its name)
            found[folder.name] = traceback.format_exc()[-3000:]
    print(json.dumps(found))

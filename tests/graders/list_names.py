"""Prints the public names of the frameworks' modules and arrays, as graders/reasons/library_names.json holds them.

After a release changes, run this from the project's folder and write its output to that file.
"""

import importlib
import json
import sys
import warnings
from typing import Any

MODULES = (
    "numpy", "numpy.linalg", "numpy.random", "numpy.fft", "jax", "jax.numpy", "jax.numpy.linalg", "jax.nn",
    "jax.nn.initializers", "jax.lax", "jax.random", "jax.scipy.special", "flax.linen", "flax.linen.initializers",
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.linalg",
)  # fmt: skip


def names_of(value: Any) -> list[str]:
    return sorted(name for name in dir(value) if not name.startswith("_"))


def callable_names(module: str) -> list[str]:
    loaded = importlib.import_module(module)
    return [name for name in names_of(loaded) if callable(getattr(loaded, name, None))]


def library_names() -> dict[str, list[str]]:
    """The names by module; those of arrays under ndarray, ArrayImpl and Tensor."""
    import jax.numpy
    import numpy as np
    import torch

    arrays = {"ndarray": np.ndarray, "ArrayImpl": type(jax.numpy.zeros(1)), "Tensor": torch.Tensor}
    return {
        **{module: callable_names(module) for module in MODULES},
        **{name: names_of(array) for name, array in arrays.items()},
    }


def listing() -> str:
    lines = [f"{json.dumps(module)}: {json.dumps(' '.join(names))}" for module, names in library_names().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(listing())

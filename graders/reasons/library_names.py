"""What the frameworks' modules and arrays hold, by name: where a name that is not there lives, or what it resembles.

The judge imports no framework, so library_names.json lists the names; tests/graders/list_names.py makes it, and a test
compares it with the pinned versions.
"""

import difflib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

MAX_COMPARED = 400  # names that a misspelt name is compared with, those of its length first

# Where a name of one library may be found instead, by how code usually calls each module. Earlier modules go first.
_FAMILIES: Mapping[str, Mapping[str, str]] = {
    "numpy": {
        "numpy": "np", "numpy.linalg": "np.linalg", "numpy.random": "np.random", "numpy.fft": "np.fft",
    },
    "jax": {
        "jax.numpy": "jnp", "jax.nn": "jax.nn", "jax": "jax", "jax.lax": "jax.lax", "jax.random": "jax.random",
        "jax.numpy.linalg": "jnp.linalg", "jax.scipy.special": "jax.scipy.special", "flax.linen": "flax.linen",
        "jax.nn.initializers": "jax.nn.initializers",
    },
    "flax": {
        "flax.linen": "flax.linen", "jax.nn": "jax.nn", "jax.numpy": "jnp", "jax.lax": "jax.lax",
        "flax.linen.initializers": "flax.linen.initializers",
    },
    "torch": {
        "torch": "torch", "torch.nn.functional": "torch.nn.functional", "torch.nn": "torch.nn",
        "torch.linalg": "torch.linalg", "torch.nn.init": "torch.nn.init",
    },
}  # fmt: skip


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, ...]]:
    found: Mapping[str, str] = json.loads(Path(__file__).with_name("library_names.json").read_text())
    return {module: tuple(names.split()) for module, names in found.items()}


def names_in(module: str) -> tuple[str, ...]:
    """The public functions and classes of a module, or the attributes of an array's class; () for others."""
    return _table().get(module, ())


def lives_in(module: str, name: str) -> str | None:
    """The full call of `name` in another module of the same library, such as `np.linalg.inv`; None if there is none."""
    for other, short in _FAMILIES.get(module.split(".")[0], {}).items():
        if other != module and name in names_in(other):
            return f"{short}.{name}"
    return None


def nearest(name: str, names: tuple[str, ...] | frozenset[str], likeness: float = 0.8) -> str | None:
    """The name that resembles `name` most; None if none does."""
    lengths = sorted(set(names) - {name}, key=lambda other: (abs(len(other) - len(name)), other))[:MAX_COMPARED]
    same = [other for other in lengths if other.lower() == name.lower()]
    return next(iter(same or difflib.get_close_matches(name, lengths, 1, likeness)), None)

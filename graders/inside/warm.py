"""Library calls that JAX makes ahead of a submission, so that it need not compile them while a student waits.

attack: a compiled program holds the constants and the shapes of what was compiled. A cache filled by running the
        reference would hold the reference, in a file that every student's program may read.
defence: nothing of an exercise is ever run here, only the calls of `CATALOGUE`. Each is a library function on random
        numbers or ones, at sizes that the sample cases show to everybody. Which calls, and at which sizes, comes from
        exercise.toml or the signature. Hidden cases have no part in it.

A call is `[name, argument, …]`, an argument `[dtype, [sizes]]`, a dtype's name or a number: plain JSON.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from graders.frameworks import BY_NAME

Call = Sequence[Any]
MAX_ELEMENTS = 1 << 20  # of one array: compiling it is what counts, not running it


def key() -> None:
    """What every drawing of random numbers begins with; needs no size."""
    BY_NAME["jax"].wake()


def flax() -> None:
    """Flax's `init` and `apply`, with a module that holds one number."""
    import flax.linen as nn
    import jax

    class One(nn.Module):  # type: ignore[misc]
        @nn.compact  # type: ignore[untyped-decorator]
        def __call__(self, x: Any) -> Any:
            return self.param("one", nn.initializers.ones, ()) * x

    module = One()
    module.apply(module.init(jax.random.PRNGKey(0), 1.0), 1.0)


def normal(array: Any) -> None:
    """Normally distributed numbers of this shape, times a number."""
    import jax

    numbers = jax.random.normal(jax.random.PRNGKey(0), _shape(array), array[0])
    numbers * jax.numpy.array(0.5, array[0])
    0.5 * numbers


def uniform(array: Any) -> None:
    import jax

    jax.random.uniform(jax.random.PRNGKey(0), _shape(array), array[0])


def rows(array: Any, count: int) -> None:
    """The first `count` rows."""
    _ones(array)[:count]


def row(array: Any) -> None:
    _ones(array)[0]


def flatten(array: Any) -> None:
    """All numbers in a row, in both of the usual spellings."""
    import jax

    x = _ones(array)
    x.reshape(-1)
    jax.numpy.ravel(x)


def transpose(array: Any) -> None:
    _ones(array).T  # noqa: B018


def cast(array: Any, dtype: str) -> None:
    _ones(array).astype(dtype)


def take(array: Any, indices: Any) -> None:
    """Rows by number, in both of the usual spellings."""
    import jax

    _few(*indices[1], *array[1][1:])
    table, numbers = _ones(array), _ones(indices)
    table[numbers]
    jax.numpy.take(table, numbers, axis=0)


def matmul(left: Any, right: Any) -> None:
    _few(*left[1][:-1], *right[1][1:])
    _ones(left) @ _ones(right)


def elementwise(array: Any) -> None:
    """Arithmetic with itself and with a number, and the functions that are most frequent in deep learning."""
    import jax

    x = _ones(array)
    for result in (x + x, x - x, x * x, x / x, x + 1, x - 1, x * 2, x / 2, -x):
        del result
    for function in ("exp", "log", "sqrt", "sin", "cos", "tanh", "square", "abs"):
        getattr(jax.numpy, function)(x)
    jax.numpy.where(x > 0, x, 0.0)


def reductions(array: Any) -> None:
    """Sums, means and maxima along each axis, with and without keepdims, and the softmax."""
    import jax

    x = _ones(array)
    for axis in range(x.ndim):
        for function in ("sum", "mean", "max"):
            for keepdims in (True, False):
                getattr(jax.numpy, function)(x, axis=axis, keepdims=keepdims)
    largest = x.max(axis=-1, keepdims=True)
    x - largest
    x / largest
    jax.nn.softmax(x, axis=-1)


def filled(array: Any) -> None:
    import jax

    jax.numpy.zeros(_shape(array), array[0])
    jax.numpy.ones(_shape(array), array[0])


def counted(count: int) -> None:
    """`arange`: positions."""
    import jax

    _few(count)
    jax.numpy.arange(count)


# Every function above and no other: the trusted side reads their names and arguments from this file
CATALOGUE: dict[str, Callable[..., None]] = {
    function.__name__: function
    for function in (
        key, flax, normal, uniform, rows, row, flatten, transpose, cast, take, matmul, elementwise, reductions, filled,
        counted,
    )
}  # fmt: skip


def make(calls: Sequence[Call], wide: bool) -> list[str]:
    """Make each call. `wide`: in JAX's 64-bit mode. Returns the failures, which do no harm: it is only a warm-up."""
    import jax

    jax.config.update("jax_enable_x64", wide)
    failed = []
    for name, *arguments in calls:
        try:
            CATALOGUE[name](*arguments)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {error}"[:200])
    return failed


def fill(calls: Sequence[Call], wide: bool, folder: str) -> None:
    """Make each call and write the compiled programs to `folder`. For a process that holds nothing else."""
    import tempfile

    import jax

    BY_NAME["jax"].settle()
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as part:
        jax.config.update("jax_compilation_cache_dir", part)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        for call in calls:
            for failure in make([call], wide):
                sys.stderr.write(f"lectern: not warmed: {failure}\n")
            for name in os.listdir(part):  # whole files only: a box may be reading the folder
                if name.endswith("-cache"):
                    os.chmod(os.path.join(part, name), 0o644)
                    os.replace(os.path.join(part, name), os.path.join(folder, name))


def read_only(folder: str) -> None:
    """Have JAX read compiled programs from `folder`, and never write there."""
    import jax

    if os.access(folder, os.R_OK | os.X_OK):
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 1e9)


def _shape(array: Any) -> tuple[int, ...]:
    _few(*array[1])
    return tuple(array[1])


def _few(*sizes: int) -> None:
    """Raises ValueError for the sizes of an array of more than MAX_ELEMENTS, be it an argument or a result.

    attack: two arrays of a million numbers each, whose product has a million millions.
    """
    count = 1
    for size in sizes:
        count *= size
    if not 0 <= count <= MAX_ELEMENTS:
        raise ValueError(f"{count} elements are too many to warm up with")


def _ones(array: Any) -> Any:
    """Ones, made by NumPy so that nothing is compiled."""
    import jax
    import numpy

    return jax.numpy.asarray(numpy.ones(_shape(array), array[0]))

"""JAX, with Flax. It compiles each new shape, so its boxes make an exercise's library calls ahead."""

import contextlib
import importlib
import sys
from collections.abc import Callable
from typing import Any

from graders.frameworks.kind import CannotCross, Framework

PROGRAMS_OF_A_CONTEXT = 32


def _arrive(array: Any) -> Any:
    import jax.numpy

    return jax.numpy.asarray(array)


def _leave(value: Any) -> Any:
    jax = sys.modules.get("jax")
    if jax is None or not isinstance(value, jax.Array):
        return NotImplemented
    if isinstance(value, jax.core.Tracer):
        raise CannotCross("a JAX tracer, which leaked out of jit, vmap or grad")
    import numpy

    return numpy.array(value, order="C", copy=True)


def _settle() -> None:
    """What JAX does when it first compiles, and again with each program. These names are its own business: another
    release may not have them, and is only slower."""
    for name in ("jaxlib.mlir.dialects.mhlo", "jaxlib.mlir.dialects.builtin"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with contextlib.suppress(ImportError, AttributeError):
        backends = importlib.import_module("jax._src.xla_bridge")
        backends._discover_and_register_pjrt_plugins()  # reads what is installed: 10 ms
    with contextlib.suppress(ImportError, AttributeError):
        lowering: Any = importlib.import_module("jax._src.interpreters.mlir")
        lowering.make_ir_context = _shared(lowering.make_ir_context)


def _shared(make: Callable[..., Any]) -> Callable[..., Any]:
    """A context takes 3 ms to make, and JAX makes one for each program that it compiles. One serves several here, and
    not all: it keeps the constants of what was compiled in it."""
    kept = [make()] * PROGRAMS_OF_A_CONTEXT

    def shared(*arguments: Any, **named: Any) -> Any:
        if arguments or named:
            return make(*arguments, **named)
        try:
            return kept.pop()
        except IndexError:
            kept.extend([make()] * (PROGRAMS_OF_A_CONTEXT - 1))
            return kept[-1]

    return shared


def _wake() -> None:
    import jax

    # starts the backend and its threads, and compiles what every drawing of random numbers begins with
    root = jax.random.PRNGKey(0)
    jax.random.fold_in(root, 1)
    jax.numpy.array(0.5, "float32")


def _load(wide: bool) -> None:
    # otherwise a declared float64 would arrive as float32, and none could be returned
    sys.modules["jax"].config.update("jax_enable_x64", wide)


FRAMEWORK = Framework(
    name="jax",
    title="JAX",
    imports=(
        "numpy", "numpy.ma", "numpy.random", "jax", "jax.numpy", "jax.nn", "jax.random",
        "flax", "flax.linen", "flax.nnx",
    ),
    releases=("jax", "jaxlib", "flax", "numpy"),
    parked=(2, 3),
    arrive=_arrive,
    leave=_leave,
    settle=_settle,
    wake=_wake,
    load=_load,
    compiles=True,
    array="a JAX array",
    short="jnp",
    integers="x.astype(jnp.int32)",
    make="jnp.array(…)",
    instead={
        "jax.numpy": {
            "softmax": "`jax.nn.softmax(x)`", "relu": "`jax.nn.relu(x)`", "sigmoid": "`jax.nn.sigmoid(x)`",
            "one_hot": "`jax.nn.one_hot(x, n)`", "cat": "`jnp.concatenate([x, y])`", "tensor": "`jnp.array(…)`",
            "unsqueeze": "`jnp.expand_dims(x, axis)`", "permute": "`jnp.transpose(x, axes)`",
            "rsqrt": "`jax.lax.rsqrt(x)`",
            "clamp": "`jnp.clip(x, low, high)`", "erf": "`jax.scipy.special.erf(x)`",
            "random": "`jax.random`, with a key",
            "float": "`jnp.float32`", "int": "`jnp.int32`", "mm": "`x @ y`", "bmm": "`x @ y`",
            "gelu": "`jax.nn.gelu(x)`",
        },
    },
)  # fmt: skip

"""Scripts that make a `LearnedPos`, look at its parameters, replace them, and take a gradient.

JAX compiles once for each shape, so nearly all cases have a table of 6 × 4 numbers, of which they ask for 3 or 6 rows.
Seeds and numbers are drawn.
"""

import numpy as np

PARAMETERS = """
from flax import nnx
module = LearnedPos(max_T, d_model, rngs=nnx.Rngs(seed))
state = nnx.to_flat_state(nnx.state(module, nnx.Param))
{"/".join(str(part) for part in path): (table.shape, str(table.dtype)) for path, table in state}
module(T)
"""
STREAMS = """
from flax import nnx
rngs = nnx.Rngs(params=seed, dropout=seed + 1)
first = LearnedPos(6, 4, rngs=rngs)
second = LearnedPos(6, 4, rngs=rngs)
first(3)
second(3)
"""
REPLACED = """
from flax import nnx
module = LearnedPos(6, 4, rngs=nnx.Rngs(seed))
nnx.update(module, {"table": table})
module(3)
module(6)
module(1)
"""
TRAINED = """
from flax import nnx
module = LearnedPos(6, 4, rngs=nnx.Rngs(seed))
nnx.to_pure_dict(nnx.grad(lambda module: (module(3) * weights).sum())(module))
"""
TOO_LONG = """
from flax import nnx
module = LearnedPos(6, 4, rngs=nnx.Rngs(seed))
module(6)
module(T)
"""

ABOUT_PARAMETERS = """The module must have one `nnx.Param`: `table`, float32, of shape `(max_T, d_model)`. Its numbers come
from `nnx.initializers.normal(stddev=0.02)` and the next key of `rngs.params`."""
ABOUT_STREAMS = """Each module takes one key from the stream `rngs.params`: two modules made one after the other from the
same `rngs` start with different tables."""
ABOUT_REPLACED = """We replaced `table` with `nnx.update`. The rows must come from the table that the module has now."""
ABOUT_TRAINED = """The gradient must reach `table`: rows that were returned get one, the rows after them get 0."""
ABOUT_LENGTH = """`T` may be at most `max_T`: above it, raise a `ValueError`; at it, return the whole table."""


def sample_cases(rng):
    yield "a new module", parameters(0), {"message": ABOUT_PARAMETERS}
    yield "two modules from one rngs", script(STREAMS, seed=7), {"message": ABOUT_STREAMS}
    yield "another table", replaced(rng, 1), {"message": ABOUT_REPLACED}
    yield "the gradient", trained(rng, 2), {"message": ABOUT_TRAINED}
    yield "one position too many", script(TOO_LONG, seed=3, T=7), {"message": ABOUT_LENGTH}


def hidden_cases(rng):
    yield "another seed", parameters(seed(rng)), {"message": ABOUT_PARAMETERS}
    yield "the whole table", parameters(seed(rng), T=6), {"message": ABOUT_PARAMETERS}
    yield "a single position", parameters(seed(rng), T=1), {"message": ABOUT_PARAMETERS}
    yield "a larger table", parameters(seed(rng), max_T=32, d_model=6, T=6), {"message": ABOUT_PARAMETERS}
    yield "a single row of two features", parameters(seed(rng), max_T=1, d_model=2, T=1), {"message": ABOUT_PARAMETERS}
    yield "two other modules from one rngs", script(STREAMS, seed=seed(rng)), {"message": ABOUT_STREAMS}
    yield "yet another table", replaced(rng, seed(rng)), {"message": ABOUT_REPLACED}
    yield "another gradient", trained(rng, seed(rng)), {"message": ABOUT_TRAINED}
    yield "far too many positions", script(TOO_LONG, seed=seed(rng), T=40), {"message": ABOUT_LENGTH}
    yield "the first position too many", script(TOO_LONG, seed=seed(rng), T=7), {"message": ABOUT_LENGTH}


def parameters(seed, max_T=6, d_model=4, T=3):
    return script(PARAMETERS, seed=seed, max_T=max_T, d_model=d_model, T=T)


def replaced(rng, seed):
    return script(REPLACED, seed=seed, table=rng.standard_normal((6, 4)).astype(np.float32))


def trained(rng, seed):
    return script(TRAINED, seed=seed, weights=rng.standard_normal((3, 4)).astype(np.float32))


def seed(rng):
    return int(rng.integers(10, 1_000_000))

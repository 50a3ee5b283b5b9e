"""Inputs for `linear_gradients(x, W, dy)`.

N, I and O differ in most cases, so that a wrong product fails or shows in the shape. Where they are equal, a forgotten
transpose shows in the numbers only.
"""

import numpy as np


def sample_cases(rng):
    yield "two inputs, one output", case([[1, 2], [3, 4]], [[5], [6]], [[1], [10]])
    yield "one row", case([[1, 2, 3]], [[1, 0], [0, 1], [1, 1]], [[0.1, 0.2]])
    yield "four rows, three inputs, two outputs", drawn(rng, 4, 3, 2)


def hidden_cases(rng):
    yield "more inputs than outputs", drawn(rng, 4, 3, 2)
    yield "more outputs than inputs", drawn(rng, 3, 2, 5)
    yield "as many inputs as outputs", drawn(rng, 4, 3, 3)
    yield "every size equal", drawn(rng, 3, 3, 3)
    yield "a single row", drawn(rng, 1, 4, 3)
    yield "one input", drawn(rng, 4, 1, 3)
    yield "one output", drawn(rng, 5, 4, 1)
    yield "every size one", drawn(rng, 1, 1, 1)
    yield "two of everything", drawn(rng, 2, 2, 2)
    yield "as many rows as outputs", drawn(rng, 4, 3, 4)
    # All positive: where large products cancel, a right answer may round to another number
    yield "large numbers", case(*(rng.uniform(30, 100, shape) for shape in ((4, 3), (3, 2), (4, 2))))
    yield "many rows", drawn(rng, 40, 3, 2)


def drawn(rng, N, I, O):
    return case(rng.standard_normal((N, I)), rng.standard_normal((I, O)), rng.standard_normal((N, O)))


def case(x, W, dy):
    return {name: np.array(values, dtype=np.float32) for name, values in (("x", x), ("W", W), ("dy", dy))}

"""Five cases of three shapes, as the peers in results.md were measured with."""

import numpy as np


def sample_cases(rng):
    yield "one sentence of three tokens", case(rng, 1, 3, 5, 4)
    yield "two sentences", case(rng, 2, 3, 5, 4)


def hidden_cases(rng):
    yield "two other sentences", case(rng, 2, 3, 5, 4)
    yield "one other sentence", case(rng, 1, 3, 5, 4)
    yield "a long table", case(rng, 2, 6, 300, 8)


def case(rng, n, t, max_len, d_model):
    return {
        "positions": rng.integers(0, max_len, (n, t)).astype(np.float32),
        "embedding_table": rng.normal(scale=0.1, size=(max_len, d_model)).astype(np.float32),
    }

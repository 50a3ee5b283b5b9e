import numpy as np


def sample_cases(rng):
    yield "no mask", tokens(rng, 3, 4, 2)
    yield "no token looks ahead", {**tokens(rng, 3, 4, 2), "mask": np.tril(np.ones((3, 3), bool))}


def hidden_cases(rng):
    yield "no mask, other sizes", tokens(rng, 5, 2, 3)
    yield "a mask of None", {**tokens(rng, 4, 3, 3), "mask": None}
    yield "a mask at random", {**tokens(rng, 6, 3, 2), "mask": random_mask(rng, 6)}
    yield "another mask at random", {**tokens(rng, 6, 8, 5), "mask": random_mask(rng, 6)}
    yield "scores too large for exp", {**tokens(rng, 4, 3, 3, 60), "mask": random_mask(rng, 4)}
    yield "a masked score that is the largest", far_above(rng)
    yield "one token", {**tokens(rng, 1, 3, 2), "mask": np.ones((1, 1), bool)}


def tokens(rng, T, D, E, scale=1):
    q, k = (scale * rng.standard_normal((2, T, D))).astype(np.float32)
    return {"q": q, "k": k, "v": rng.standard_normal((T, E)).astype(np.float32)}


def random_mask(rng, T):
    """Every token looks at itself, so no row is empty."""
    return (rng.random((T, T)) < 0.5) | np.eye(T, dtype=bool)


def far_above(rng):
    inputs = tokens(rng, 4, 2, 3)
    inputs["k"][3] = 50 * inputs["q"][0]
    mask = np.ones((4, 4), bool)
    mask[:, 3] = [False, False, False, True]
    return {**inputs, "mask": mask}

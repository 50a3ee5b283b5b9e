import numpy as np


def sample_cases(rng):
    yield "three numbers", {"x": np.array([1.0, 2.0, 3.0])}


def hidden_cases(rng):
    yield "many numbers", {"x": rng.uniform(-10, 10, 30)}
    yield "one number", {"x": rng.uniform(1, 2, 1)}

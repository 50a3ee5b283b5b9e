import numpy as np


def sample_cases(rng):  # shown to students, values and all
    yield "two rows of three", {"x": np.array([[1, 2, 5], [3, 3, 4]], np.float32)}


def hidden_cases(rng):  # judged, never shown
    yield "more rows than columns", {"x": rng.uniform(0.5, 2, (7, 3)).astype(np.float32)}
    yield "as many rows as columns", {"x": rng.uniform(0.5, 2, (4, 4)).astype(np.float32)}
    yield "large and small", {"x": rng.uniform(0.001, 1000, (2, 5)).astype(np.float32)}

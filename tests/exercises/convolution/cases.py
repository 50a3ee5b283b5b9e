import numpy as np


def sample_cases(rng):
    yield "stride 1", images(rng, 2, 5, 4, 3)
    yield "stride 2", {**images(rng, 1, 7, 6, 3), "s": 2}


def hidden_cases(rng):
    yield "taller than wide", images(rng, 2, 8, 5, 2)
    yield "wider than tall", images(rng, 3, 4, 9, 3)
    yield "stride 2, rows left over", {**images(rng, 2, 8, 9, 3), "s": 2}
    yield "stride 3", {**images(rng, 2, 11, 7, 2), "s": 3}
    yield "stride 1, given", {**images(rng, 1, 6, 6, 5), "s": 1}
    yield "a kernel of one", {**images(rng, 2, 4, 3, 1), "s": 2}
    yield "a kernel as large as the image", {**images(rng, 2, 4, 4, 4), "s": 3}
    yield "a kernel as high as the image", images(rng, 1, 3, 6, 3)
    yield "a kernel as wide as the image", images(rng, 1, 6, 3, 3)


def images(rng, N, H, W, k):
    x, kernel = rng.standard_normal((N, H, W)), rng.standard_normal((k, k))
    return {"x": x.astype(np.float32), "kernel": kernel.astype(np.float32)}

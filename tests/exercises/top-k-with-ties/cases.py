def sample_cases(rng):
    yield "two are equal", {"scores": [0.5, 2.0, 0.5, 1.0], "k": 3}
    yield "a negative k", {"scores": [1.0, 2.0], "k": -1}, {"message": "Check `k` before anything else."}


def hidden_cases(rng):
    yield "drawn", drawn(rng, 8, 3)
    yield "many are equal", {"scores": [float(n) for n in rng.integers(0, 3, 12)], "k": 7}
    yield "only the best", {"scores": [float(n) for n in rng.permutation(5)], "k": 1}
    yield "as many as there are", drawn(rng, 4, 4)
    yield "more than there are", drawn(rng, 3, 9)
    yield "none", {"scores": [0.0, 3.0, 1.0], "k": 0}
    yield "no scores", {"scores": [], "k": 2}
    yield "no scores, a negative k", {"scores": [], "k": -2}
    yield "equal and below zero", {"scores": [-1.0, -2.0, -1.0, -3.0, -2.0], "k": 4}
    yield "a very negative k", {"scores": [float(n) for n in rng.integers(-3, 3, 2)], "k": -int(rng.integers(2, 50))}


def drawn(rng, count, k):
    return {"scores": [round(float(x), 3) for x in rng.standard_normal(count)], "k": k}

def sample_cases(rng):
    yield "three numbers", {"x": rng.standard_normal(3)}
    yield "little noise", {"x": rng.standard_normal(4), "scale": 0.1}, {"weight": 2, "message": "Mind the scale."}


def hidden_cases(rng):
    yield "more numbers", {"x": rng.uniform(-10, 10, 9), "scale": float(rng.uniform(2, 5))}
    yield "as they come", {"x": rng.uniform(-1, 1, 6)}

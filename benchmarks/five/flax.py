"""Five cases of five shapes: three that a student sees, two that only hidden cases have."""


def sample_cases(rng):
    yield "four positions of three features", {"seed": 0, "T": 4, "d_model": 3}
    yield "a single position", {"seed": 7, "T": 1, "d_model": 8}
    yield "six positions of eight features", {"seed": 42, "T": 6, "d_model": 8}


def hidden_cases(rng):
    yield "the whole table", {"seed": int(rng.integers(2**31)), "T": 32, "d_model": 3}
    yield "more positions and features than before", {"seed": int(rng.integers(2**31)), "T": 10, "d_model": 16}

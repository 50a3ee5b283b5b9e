def sample_cases(rng):
    yield "two pairs", {"total": 10}
    yield "the smallest", {"total": 4}


def hidden_cases(rng):
    yield "drawn", {"total": 2 * int(rng.integers(10, 1000))}
    yield "large", {"total": 2 * int(rng.integers(500, 1000))}
    yield "not the first prime", {"total": 98}

def sample_cases(rng):
    yield "not the largest first", {"amount": 6, "coins": [1, 3, 4]}
    yield "no coins add up", {"amount": 7, "coins": [2, 4]}


def hidden_cases(rng):
    for n in range(4):
        yield f"drawn {n}", drawn(rng)
    yield "with a coin of 1", {"amount": int(rng.integers(30, 60)), "coins": [1, int(rng.integers(7, 12)), 12]}
    yield "nothing to pay", {"amount": 0, "coins": [2, 5]}
    yield "one coin", {"amount": 9, "coins": [9, 3, 1]}
    yield "the smallest amount", {"amount": 1, "coins": [1, 3]}
    yield "no coins at all", {"amount": 3, "coins": []}
    yield "smaller than any coin", {"amount": 3, "coins": [5, 7]}


def drawn(rng):
    coins = sorted({int(coin) for coin in rng.integers(2, 15, 4)})
    return {"amount": int(rng.integers(20, 60)), "coins": [int(coin) for coin in rng.permutation(coins)]}

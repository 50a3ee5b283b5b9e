"""Inputs for `scatter_add_rows(rows, ids, K)`.

Nearly every case repeats an id, and many leave the last bucket empty. Ids are often not in order, so that an answer
that counts on sorted ids fails. Where N, K and D are equal, a wrong axis shows in the numbers only.
"""

import numpy as np


def sample_cases(rng):
    yield "repeated ids and an empty bucket", case([[1, 2], [10, 20], [0.5, 0.5], [100, 0]], [2, 0, 2, 2], 3)
    yield "two rows, two buckets", case([[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]], [1, 0], 2)
    yield "the last buckets stay empty", case([[0.1, 0.2], [1.1, 1.2], [2.1, 2.2]], [1, 0, 1], 5)


def hidden_cases(rng):
    yield "ids in any order", drawn(rng, [3, 0, 3, 1, 0, 3], 4, D=2)
    yield "every row in one bucket", drawn(rng, [2, 2, 2, 2, 2], 4, D=3)
    yield "every id once", drawn(rng, [2, 0, 3, 1], 4, D=3)
    yield "in order, in runs", drawn(rng, [0, 0, 1, 1, 1, 3], 4, D=2)
    yield "one row", drawn(rng, [1], 3, D=4)
    yield "one bucket", drawn(rng, [0, 0, 0], 1, D=4)
    yield "one number in each row", drawn(rng, [1, 1, 0, 4], 6, D=1)
    yield "every size equal", drawn(rng, [2, 0, 2], 3, D=3)
    yield "the first and the last bucket only", drawn(rng, [4, 0, 4, 0], 5, D=2)
    yield "more buckets than rows", drawn(rng, [7, 2, 7], 20, D=2)
    # All positive: where large numbers cancel, a sum in another order may round to another number
    yield "large numbers", case(rng.uniform(1e3, 1e4, (4, 2)), [1, 0, 1, 1], 3)
    yield "many rows", drawn(rng, rng.integers(0, 5, 200), 6, D=3)


def drawn(rng, ids, K, D):
    return case(rng.standard_normal((len(ids), D)), ids, K)


def case(rows, ids, K):
    return {"rows": np.array(rows, dtype=np.float32), "ids": np.array(ids, dtype=np.int32), "K": K}

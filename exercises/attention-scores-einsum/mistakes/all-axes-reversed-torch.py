# framework: torch
# verdict: runtime_error
"""In your product, the last axis of `q` meets the tokens of `k`. The numbers of a query have to meet the numbers of a
key. If you wrote `k.T`, it reverses all four axes; to transpose matrices, exchange two axes only. The heads have to be
in front of the tokens first."""

import math


def attention_scores(q, k):
    return q @ k.T / math.sqrt(q.shape[-1])

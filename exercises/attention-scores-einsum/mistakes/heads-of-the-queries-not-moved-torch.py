# framework: torch
# verdict: runtime_error
"""The heads of `k` are in front of the tokens, but those of `q` are not, so the tokens of `q` meet the heads of `k`.
Move the heads of both."""

import math


def attention_scores(q, k):
    return q @ k.permute(0, 2, 3, 1) / math.sqrt(q.shape[-1])

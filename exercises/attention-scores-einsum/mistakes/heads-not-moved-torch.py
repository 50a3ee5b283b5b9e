# framework: torch
# verdict: runtime_error
"""A matrix product works on the last two axes, which are heads and numbers here: you compare the heads of one token with
one another. Move the heads in front of the tokens first, or use einsum."""

import math


def attention_scores(q, k):
    return q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])

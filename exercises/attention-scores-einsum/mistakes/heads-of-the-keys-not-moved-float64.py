# framework: numpy
# verdict: runtime_error
"""The heads of `q` are in front of the tokens, but those of `k` are not, so the heads of `q` meet the tokens of `k`.
Move the heads of both."""

import numpy as np


def attention_scores(q, k):
    return q.transpose(0, 2, 1, 3) @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])

# framework: numpy
# verdict: runtime_error
"""The heads of `k` are in front of the tokens, but those of `q` are not, so the tokens of `q` meet the heads of `k`.
Move the heads of both."""

import numpy as np


def attention_scores(q, k):
    return q @ k.transpose(0, 2, 3, 1) / np.sqrt(q.shape[-1])

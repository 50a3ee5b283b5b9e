# framework: numpy
"""Without an arrow, einsum keeps only the letters that come once, in the order of the alphabet: batch and heads are summed
too. Write what you want to keep: `->bhts`."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthd,bshd", q, k) / math.sqrt(q.shape[-1])

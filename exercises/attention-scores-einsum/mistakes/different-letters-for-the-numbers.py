# framework: numpy
"""The numbers of a query and of a key were summed each by themselves and then multiplied: they have different letters in
your string. Write the same letter in both, so that they are multiplied in pairs."""

import math

import numpy as np


def attention_scores(q, k):
    return np.einsum("bthi,bshj->bhts", q, k) / math.sqrt(q.shape[-1])

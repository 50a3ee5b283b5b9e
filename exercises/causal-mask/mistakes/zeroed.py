# framework: numpy
"""The hidden scores are 0 in your output. Softmax gives a score of 0 the weight of e^0 = 1, so they are not hidden: they
must be minus infinity."""

import numpy as np


def causal_mask(scores):
    return np.tril(scores)

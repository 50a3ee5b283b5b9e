# framework: numpy
"""You subtract one-hot from the scores themselves, which is the gradient of a squared error. Take the softmax of the scores
first."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    return (logits - np.eye(logits.shape[1])[labels]) / len(labels)

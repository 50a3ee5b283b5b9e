# framework: numpy
"""Each row has a single 1 at its largest score, as `argmax` gives. Softmax lets every score keep a share: divide the
exponentials by their sum."""

import numpy as np


def solve(x):
    return np.eye(x.shape[-1])[x.argmax(axis=-1)]

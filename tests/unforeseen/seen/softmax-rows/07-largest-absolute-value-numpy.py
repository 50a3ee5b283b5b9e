# cause: What is subtracted is the largest absolute value of the row, not its largest score; in a row of very negative scores every exponential then underflows to 0.
# names: absolute|\babs\b|magnitude|(very|all|far) (negative|below zero)|negative (scores?|rows?|numbers?)|not (the|its|their) (row'?s )?(maximum|largest score)
import numpy as np

def stable_exp(x):
    # scale of each row
    scale = np.abs(x).max(axis=1, keepdims=True)
    return np.exp(x - scale)

def solve(x):
    e = stable_exp(x)
    return e / e.sum(axis=1, keepdims=True)

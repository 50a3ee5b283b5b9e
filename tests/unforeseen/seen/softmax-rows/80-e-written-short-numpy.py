# cause: e is written as 2.718, which is right to four digits only; use np.exp or np.e.
# names: 2\.718|np\.e\b|too few digits|digits of (e|the constant)|math\.e|shortened
import numpy as np


def solve(x):
    m = x.max(axis=1, keepdims=True)
    powers = 2.718 ** (x - m)
    return powers / powers.sum(axis=1, keepdims=True)

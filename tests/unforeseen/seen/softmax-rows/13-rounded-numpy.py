# cause: The weights are rounded to a few digits, but every digit counts.
# names: rounded|rounding|np\.round|`round|\bround(s|ing)? (the|your|them|it|to)\b|(4|four) (decimal|digit)|decimals?\b|decimal places
import numpy as np


def solve(x):
    shiftx = x - x.max(axis=1).reshape(-1, 1)
    exps = np.exp(shiftx)
    probs = exps / exps.sum(axis=1).reshape(-1, 1)
    return np.round(probs, 4)

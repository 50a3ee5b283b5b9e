# cause: The base of the power is 2.718, which is e cut to four digits, so the weights are slightly off; use np.exp.
# names: 2\.718|\bbase\b|euler|(use|write|call) `?np\.exp|approximat\w*.{0,20}\be\b|\be\b.{0,20}(approximat|rounded|digits)|another (number|base) than e
import numpy as np

E = 2.718


def solve(x):
    shifted = x - x.max(axis=1).reshape(-1, 1)
    powers = E ** shifted
    return powers / powers.sum(axis=1).reshape(-1, 1)

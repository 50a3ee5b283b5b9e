# cause: row = ... gives the loop variable a new array and writes nothing into x, so the scores come back unchanged.
# names: unchanged|loop variable|rebind|rebound|(never|not|nothing) (is |are |gets? )?(ever )?(written|stored|saved|put|assigned) (back|into|in)|(come|comes|came|get|are) back (unchanged|as)|return\w* (the |your )?(input|scores|x\b|`x`)|write.{0,20}(back|into)|input itself
import numpy as np


def solve(x):
    for row in x:
        row = np.exp(row - row.max())
        row = row / row.sum()
    return x

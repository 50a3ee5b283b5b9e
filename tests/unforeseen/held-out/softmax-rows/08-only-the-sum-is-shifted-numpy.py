# cause: The maximum is subtracted in the denominator only; the numerator is still exp(x) of the unshifted scores, so the two do not belong together.
# names: numerator|only.{0,30}denominator|denominator (only|alone)|(subtract|shift)\w*.{0,60}(in both|only (in|for) (the )?(sum|one)|one of the two|both places)|unshifted|not shifted|above.{0,20}below
import numpy as np


def solve(x):
    top = np.max(x, axis=-1, keepdims=True)
    denominator = np.sum(np.exp(x - top), axis=-1, keepdims=True)
    return np.exp(x) / denominator

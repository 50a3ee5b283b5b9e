# cause: A masked score of -inf is replaced by 0 before the softmax, which is an ordinary score, so masked places get a weight.
# names: masked (score|place|entr|weight|position|token|one)|-? ?inf\b|minus infinity|isinf|isfinite|infinite score
import numpy as np


def solve(x: np.ndarray) -> np.ndarray:
    # -inf would give nan, get rid of them first
    x = np.where(np.isinf(x), 0.0, x)
    x = x - np.max(x, axis=-1, keepdims=True)
    e_x = np.exp(x)
    return e_x / np.sum(e_x, axis=-1, keepdims=True)

# cause: The keyword keepdim belongs to PyTorch; NumPy's max and sum call it keepdims, with an s.
# names: keepdim\b.{0,120}keepdims\b|keepdims\b.{0,120}keepdim\b|unexpected keyword|`keepdim`|with an `?s\b|keyword.{0,30}keepdim\b|keepdim`? (is|belongs|comes|exists)\b
import numpy as np


def solve(x: np.ndarray) -> np.ndarray:
    """Turn each row of scores into weights that sum to one."""
    shifted = x - x.max(axis=-1, keepdim=True)
    exp_x = np.exp(shifted)
    return exp_x / exp_x.sum(axis=-1, keepdim=True)

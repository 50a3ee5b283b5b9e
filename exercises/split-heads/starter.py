import numpy as np


def split_heads(x: np.ndarray, H: int) -> np.ndarray:
    """Give each head its block of every token's vector.

    x:       (B, T, D) float32
    H:       the number of heads; D is a multiple of it
    returns: (B, H, T, D // H) float32
    """
    raise NotImplementedError("return one block of features for each head")

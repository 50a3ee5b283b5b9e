"""Cut each token's vector into H blocks, and put the axis of the blocks in front of the tokens."""

import numpy as np


def split_heads(x, H):
    """out[b, h, t, i] = x[b, t, h * d + i], where d = D / H

    >>> split_heads(np.array([[[0, 1, 2, 3], [4, 5, 6, 7]]], dtype=np.float32), 2)
    array([[[[0., 1.],
             [4., 5.]],
    <BLANKLINE>
            [[2., 3.],
             [6., 7.]]]], dtype=float32)
    """
    B, T, D = x.shape
    blocks = x.reshape(B, T, H, D // H)         # (B, T, H, d): the last axis is cut, nothing moves
    return blocks.transpose(0, 2, 1, 3)         # (B, H, T, d): the heads come before the tokens

# framework: torch
"""You return one thing. Return two: the output, and the gap as one number."""

import torch
import torch.nn.functional as F


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    z = x[permutation] if positions is None else x[permutation] + positions
    return F.scaled_dot_product_attention(z @ w_q, z @ w_k, z @ w_v)

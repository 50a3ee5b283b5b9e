# framework: torch
import torch
import torch.nn.functional as F


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):                                                   # (T, d_model) -> (T, D)
        return F.scaled_dot_product_attention(z @ w_q, z @ w_k, z @ w_v)

    if positions is None:
        positions = torch.zeros_like(x)
    output = attention(x[permutation] + positions)
    gap = (output - attention(x + positions)[permutation]).abs().max()
    return output, gap.item()

# framework: torch
"""The output is right, but your gap is the root of the sum of squares over all entries. Take the largest absolute
difference."""

import torch


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
        return torch.softmax(scores, dim=-1) @ (z @ w_v)

    places = torch.zeros_like(x) if positions is None else positions
    output = attention(x[permutation] + places)
    return output, torch.norm(output - attention(x + places)[permutation])

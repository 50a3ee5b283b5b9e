# framework: torch
"""You divide the scores by the square root of `T`, the number of tokens. It is that of `D`, the number of columns of `w_q`."""

import torch


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):
        scores = (z @ w_q) @ (z @ w_k).T / len(z) ** 0.5
        return torch.softmax(scores, dim=-1) @ (z @ w_v)

    places = torch.zeros_like(x) if positions is None else positions
    output = attention(x[permutation] + places)
    return output, (output - attention(x + places)[permutation]).abs().max().item()

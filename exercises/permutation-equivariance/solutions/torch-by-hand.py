# framework: torch
import torch


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    order = permutation.long()
    places = range(len(x))

    def attention(tokens):
        z = torch.stack([tokens[t] if positions is None else tokens[t] + positions[t] for t in places])
        scores = torch.matmul(z @ w_q, (z @ w_k).transpose(0, 1)) * w_q.size(1) ** -0.5     # (T, T)
        return scores.softmax(dim=1) @ z @ w_v

    output = attention(x.index_select(0, order))
    return output, torch.dist(output, attention(x).index_select(0, order), p=float("inf"))

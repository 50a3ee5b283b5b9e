# framework: torch
import torch


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = torch.arange(T)
    rows = (places[None, :] - places[:, None]).clamp(-max_distance, max_distance) + max_distance
    with_distance = keys[:, None] + table[rows]                             # (H, T, T, d)
    return (queries[:, :, None] * with_distance).sum(-1) / d**0.5           # (H, T, T)

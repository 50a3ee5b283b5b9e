# framework: torch
# verdict: runtime_error
"""You add the rows of the table, `(T, T, d)`, to the keys, `(H, T, d)`, and so queries meet heads on the first axis.
Each query sees each key with another vector: the sum needs an axis for each of heads, queries and keys."""

import torch


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = torch.arange(T)
    rows = (places[None, :] - places[:, None]).clamp(-max_distance, max_distance) + max_distance
    return queries @ (keys + table[rows]).transpose(1, 2) / d**0.5

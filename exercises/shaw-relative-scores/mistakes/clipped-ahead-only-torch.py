# framework: torch
# verdict: runtime_error
"""You clip distances ahead, but not behind. A key too far back gives a negative row, which counts from the end of the
table, where the keys ahead are. Clip on both sides."""

import torch


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = torch.arange(T)
    rows = (places[None, :] - places[:, None]).clamp(max=max_distance) + max_distance
    content = queries @ keys.transpose(1, 2)
    position = torch.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / d**0.5

# framework: torch
# verdict: runtime_error
"""To multiply queries and keys, the keys must be transposed: `queries @ keys.transpose(1, 2)`."""

import torch


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    places = torch.arange(T)
    rows = (places[None, :] - places[:, None]).clamp(-max_distance, max_distance) + max_distance
    content = queries @ keys
    position = torch.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / d**0.5

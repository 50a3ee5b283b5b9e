"""Vaswani et al. 2017, section 3.2.1, by torch.nn.functional.scaled_dot_product_attention in float64."""

from typing import Any

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention


def expected(x: Any, positions: Any, w_q: Any, w_k: Any, w_v: Any, permutation: Any) -> tuple[Any, float]:
    weights = [torch.tensor(w, dtype=torch.float64) for w in (w_q, w_k, w_v)]
    places = np.zeros_like(x) if positions is None else positions
    answers = []
    for tokens in (np.take(x, permutation, axis=0), x):
        z = torch.tensor(tokens, dtype=torch.float64) + torch.tensor(places, dtype=torch.float64)
        answers.append(scaled_dot_product_attention(*(z @ w for w in weights)).numpy())
    moved, in_order = answers
    gap = max(float(np.abs(moved[t] - in_order[p]).max()) for t, p in enumerate(permutation))
    return moved.astype(np.float32), gap

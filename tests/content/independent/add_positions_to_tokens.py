"""Vaswani et al. 2017, sections 3.4 and 3.5, with torch.nn.Embedding in float64 for the table of positions."""

from typing import Any

import numpy as np
import torch


def expected(tokens: Any, position_table: Any, position_ids: Any) -> Any:
    embedding = torch.nn.Embedding.from_pretrained(torch.tensor(position_table, dtype=torch.float64))
    if position_ids is None:
        position_ids = np.tile(np.arange(tokens.shape[1]), (tokens.shape[0], 1))
    rows = embedding(torch.tensor(position_ids, dtype=torch.int64))
    scale = torch.tensor(tokens.shape[2], dtype=torch.float64).sqrt()
    scaled = torch.tensor(tokens, dtype=torch.float64) * scale
    return (scaled + rows).numpy().astype(np.float32)

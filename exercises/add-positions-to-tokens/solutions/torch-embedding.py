# framework: torch
import torch
import torch.nn.functional as F


def add_positions(tokens, position_table, position_ids):
    d_model = tokens.size(-1)
    ids = torch.arange(tokens.size(1)) if position_ids is None else position_ids
    return torch.add(F.embedding(ids, position_table), tokens, alpha=d_model**0.5)

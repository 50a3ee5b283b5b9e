# framework: torch
import torch


def one_hot_lookup(ids, table):
    one_hot = (ids.unsqueeze(-1) == torch.arange(table.shape[0])).to(table.dtype)   # (N, T, V)
    return one_hot, one_hot @ table

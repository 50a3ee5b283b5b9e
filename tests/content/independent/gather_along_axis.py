"""The definition of a gather in the documentation of `torch.gather`: out[i][j] = input[index[i][j]][j] for dim 0 and
input[i][index[i][j]] for dim 1. By that function."""

import torch


def expected(x, index, axis):
    return torch.gather(torch.from_numpy(x.copy()), axis, torch.from_numpy(index.copy())).numpy()

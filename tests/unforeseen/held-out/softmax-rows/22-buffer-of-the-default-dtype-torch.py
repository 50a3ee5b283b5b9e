# cause: torch.zeros makes a float32 buffer unless told otherwise, so the float64 weights lose their digits when they are written into it.
# names: ^(?![\s\S]*(and up again|both casts))[\s\S]*(float32|single precision|dtype|float64|zeros_like|double|seven.{0,20}digits)
import torch


def solve(x):
    n_rows, n_cols = x.size()
    out = torch.zeros(n_rows, n_cols)
    for i in range(n_rows):
        row = x[i]
        e = torch.exp(row - row.max())
        out[i, :] = e / e.sum()
    return out

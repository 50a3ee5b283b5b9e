# cause: torch.tensor cannot build a tensor out of a list of rows that are tensors themselves; use torch.stack.
# names: torch\.(stack|cat)|list of (tensors|row)|torch\.tensor|one.?element tensor|convert\w* to (a )?(python )?scalar|only one element
import torch

def solve(x):
    rows = []
    for row in x:
        row = row - row.max()
        w = row.exp() / row.exp().sum()
        rows.append(w)
    return torch.tensor(rows, dtype=torch.float64)

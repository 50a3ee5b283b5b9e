# cause: torch.softmax is called without dim, but it must be told along which dimension to sum: torch.softmax(x, dim=-1).
# names: (without|missing|needs?|lacks?|forgot\w*|left out|require\w*|tell|specify|give|pass)\b.{0,30}\bdim\b|\bdim\b.{0,15}(missing|required|needed|left out|forgotten)|required.{0,30}argument|missing.{0,40}argument|softmax\(x, dim|which (dim\w*|axis)
import torch


def solve(x: torch.Tensor) -> torch.Tensor:
    weights = torch.softmax(x)
    return weights

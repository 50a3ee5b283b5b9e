# cause: gumbel_softmax adds random noise to the scores and draws a sample; the plain softmax is F.softmax or torch.softmax.
# names: gumbel|random|noise|draws? (a |samples)|sampling|a (random )?sample\b|(differ\w*|chang\w*|other numbers).{0,30}(each|every|from) (call|time|run)|not (deterministic|reproducible)
import torch
import torch.nn.functional as F


def solve(x: torch.Tensor) -> torch.Tensor:
    """Turn each row of scores into weights that sum to one.

    x:       (N, C) float64
    returns: (N, C) float64
    """
    return F.gumbel_softmax(x, tau=1, hard=False, dim=-1)

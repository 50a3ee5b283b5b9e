# cause: nn.Softmax(x) only builds a layer, with x taken as its dim; the layer is returned and never called on x.
# names: nn\.softmax|(layer|module|object|instance|class)\b.{0,80}(call|return|not a tensor|instead of|itself|built|made|created)|(return\w*|is|got) (a|the) (layer|module|object)|nn\.module|not a tensor|constructor
import torch
import torch.nn as nn


def solve(x: torch.Tensor) -> torch.Tensor:
    return nn.Softmax(x)

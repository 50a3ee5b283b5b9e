# cause: The channel axis that conv2d needs is still in the result, which has the shape (N, 1, rows, columns); take it out with squeeze(1) or [:, 0].
# names: channel|(extra|additional|fourth|left.?over|too many|superfluous).{0,20}(axis|axes|dim\w*)|squeeze|\[:, ?0\]|\(n, ?1\b|(axis|dimension|axes|dimensions) (too many|of (size|length) (1|one))|(4|four) (axes|dim\w*)|(length|size).?(1|one) .{0,15}(axis|dim\w*)
import torch
import torch.nn.functional as F


def convolution(x, kernel, s=1):
    x = x.unsqueeze(1)                       # (N, 1, H, W)
    weight = kernel.unsqueeze(0).unsqueeze(0)  # (1, 1, k, k)
    return F.conv2d(x, weight, stride=s)

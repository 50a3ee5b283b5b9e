# cause: s is passed as dilation, not stride
# names: dilat|stride|spread|`s`|apart
import torch


def convolution(x, kernel, s=1):
    return torch.nn.functional.conv2d(x[:, None], kernel[None, None], dilation=s)[:, 0]

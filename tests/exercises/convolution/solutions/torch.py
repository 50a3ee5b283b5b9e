import torch.nn.functional as F


def convolution(x, kernel, s=1):
    return F.conv2d(x[:, None], kernel[None, None], stride=s)[:, 0]

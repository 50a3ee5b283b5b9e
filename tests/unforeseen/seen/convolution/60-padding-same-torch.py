# cause: padding of k // 2 is added
# names: pad
import torch


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    return torch.nn.functional.conv2d(x[:, None], kernel[None, None], stride=s, padding=k // 2)[:, 0]

# cause: A relu is applied to the result: negative numbers become 0.
# names: negative|relu|below zero|below 0
import torch


def convolution(x, kernel, s=1):
    y = torch.nn.functional.conv2d(x[:, None], kernel[None, None], stride=s)[:, 0]
    return torch.relu(y)

# cause: A new nn.Conv2d draws a random kernel of its own; the kernel that was passed in is used only for its size. Use F.conv2d(x, kernel).
# names: nn\.conv2d|(new|own|another|fresh|random) (random )?(layer|kernel|weights|parameters)|F\.conv2d
import torch
import torch.nn as nn


def convolution(x, kernel, s=1):
    torch.manual_seed(0)
    layer = nn.Conv2d(1, 1, kernel.shape[0], stride=s, bias=False)
    with torch.no_grad():
        return layer(x.unsqueeze(1)).squeeze(1)

# cause: nn.Conv2d(...) expects the sizes of a new layer, not a kernel that exists; for that there is F.conv2d.
# names: F\.conv2d|functional|(sizes|channels).{0,40}(new|layer)|(new|makes a) (layer|kernel)|not a (kernel|tensor)|existing
import torch.nn as nn


def convolution(x, kernel, s=1):
    conv = nn.Conv2d(kernel, stride=s)
    return conv(x)

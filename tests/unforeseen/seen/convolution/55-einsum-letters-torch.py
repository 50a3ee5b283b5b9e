# cause: The kernel's letters are exchanged in the einsum, so the transposed kernel is applied.
# names: transpos|einsum|exchanged|kernel
import torch


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    patches = x.unfold(1, k, s).unfold(2, k, s)
    return torch.einsum("nrcij,ji->nrc", patches, kernel)

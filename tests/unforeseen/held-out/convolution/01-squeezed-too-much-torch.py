# cause: squeeze() without a dimension drops every axis of length 1, also that of a single image or of a single place; drop only the channel axis, [:, 0] or squeeze(1).
# names: squeeze|(every|all|each|any).{0,20}(axis|axes|dimensions?).{0,20}(of )?(length|size) (1|one)|(channel|image|batch|first).{0,10}(axis|dimension).{0,30}(drop|lost|gone|missing|remov)|one image|single image|too (few|many) (axes|dimensions)|N (= |is )(1|one)
import torch
import torch.nn.functional as F


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    out = F.conv2d(x.unsqueeze(1), kernel.view(1, 1, k, k), stride=s)
    return out.squeeze()

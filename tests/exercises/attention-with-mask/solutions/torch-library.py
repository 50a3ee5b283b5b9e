import torch.nn.functional as F


def attention(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask)[0]

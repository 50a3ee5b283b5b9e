# cause: A float mask is added to the scores, so True only adds 1; pass the bool mask as it is.
# names: (mask|true|it).{0,40}\badd(s|ed)?\b|\badd(s|ed|ing|itive)?\b.{0,30}(mask|to the scores|1\b|one\b)|float (attn_)?mask|mask.{0,30}(to|as|is|of|made|into) (a )?(float|number)|bool(ean)? mask|mask.{0,25}\bbool|\.float\b|mask (hardly|does not|changes? (too )?little|has (almost|hardly))
import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    if mask is not None:
        mask = mask.float()
    out = F.scaled_dot_product_attention(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0), attn_mask=mask)
    return out.squeeze(0)

# framework: torch
import torch


def rope_with_cache(q, k, cached_keys, base):
    N, H, T, d = q.shape
    S = cached_keys.shape[2]
    theta = base ** (-torch.arange(0, d, 2) / d)                        # (d/2,)
    angle = torch.outer(torch.arange(S + T).float(), theta)             # (S + T, d/2)
    turn = torch.polar(torch.ones_like(angle), angle)[-T:]              # (T, d/2) complex

    def rotate(x):
        return torch.view_as_real(torch.view_as_complex(x.reshape(N, H, T, d // 2, 2)) * turn).flatten(-2)

    return rotate(q), torch.cat([cached_keys, rotate(k)], dim=2)

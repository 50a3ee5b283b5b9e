import torch


def rotary_position_embeddings(
    x: torch.Tensor, positions: torch.Tensor, base: float
) -> torch.Tensor:
    """Turn columns 2i and 2i + 1 by position * base ** (-2i / d).

    x:         (N, T, d) float32, d even
    positions: (N, T) int32
    returns:   (N, T, d) float32
    """
    # 1. The angle of each pair at each position: (N, T, d/2).
    # 2. The even and the odd columns of x: (N, T, d/2) each.
    # 3. Turn each pair, and put the columns back in order.
    raise NotImplementedError("write steps 1 to 3")

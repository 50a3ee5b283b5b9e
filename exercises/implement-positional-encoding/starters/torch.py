import torch


def positional_encoding(max_len: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    """The sinusoidal table: sines in the even columns, cosines in the odd ones.

    returns: (max_len, d_model) float32
    """
    raise NotImplementedError("return the table")

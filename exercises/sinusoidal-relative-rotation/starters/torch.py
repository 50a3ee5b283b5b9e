import torch


def relative_rotation(k: int, d_model: int, base: float) -> torch.Tensor:
    """The matrix that turns row t of a sinusoidal table into row t + k, whatever t is.

    returns: (d_model, d_model) float32
    """
    raise NotImplementedError("return the matrix")

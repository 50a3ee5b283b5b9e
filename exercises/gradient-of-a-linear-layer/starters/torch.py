import torch


def linear_gradients(x: torch.Tensor, W: torch.Tensor, dy: torch.Tensor) -> dict[str, torch.Tensor]:
    """Send the gradient of y = x @ W + b on to x, W and b.

    x:       (N, I) float32
    W:       (I, O) float32
    dy:      (N, O) float32, the gradient of the loss by y
    returns: {"dx": (N, I), "dW": (I, O), "db": (O,)}, float32
    """
    raise NotImplementedError("return the three gradients")

import torch


def embedding_gradient(
    ids: torch.Tensor, upstream: torch.Tensor, max_len: int
) -> torch.Tensor:
    """The gradient of the loss with respect to the table.

    ids:      (N, T) int32, from 0 to max_len - 1
    upstream: (N, T, d_model) float32, the gradient at the rows
              that were looked up
    returns:  (max_len, d_model) float32
    """
    raise NotImplementedError("collect the gradients row by row")

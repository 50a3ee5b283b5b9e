import torch


def add_positions(
    tokens: torch.Tensor, position_table: torch.Tensor, position_ids: torch.Tensor | None
) -> torch.Tensor:
    """Scale the tokens by sqrt(d_model), and add to each the row of its position.

    tokens:         (N, T, d_model) float32
    position_table: (max_len, d_model) float32
    position_ids:   (N, T) int32, or None for 0, 1, ..., T - 1
    returns:        (N, T, d_model) float32
    """
    raise NotImplementedError("return the sum")

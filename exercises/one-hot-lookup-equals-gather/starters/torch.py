import torch


def one_hot_lookup(ids: torch.Tensor, table: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Look up rows by a matrix product. Ids outside the table give zeros.

    ids:     (N, T) int32
    table:   (V, D) float32
    returns: one_hot (N, T, V) float32, rows (N, T, D) float32
    """
    raise NotImplementedError("return the one-hot rows, and their product with the table")

import torch


def order_gap(
    x: torch.Tensor,
    positions: torch.Tensor | None,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    permutation: torch.Tensor,
) -> tuple[torch.Tensor, float]:
    """Attention on the permuted tokens, and its largest distance from the permuted answers.

    x:             (T, d_model) float32
    positions:     (T, d_model) float32, or None
    w_q, w_k, w_v: (d_model, D) float32
    permutation:   (T,) int32
    returns:       output (T, D) float32, gap: one number
    """
    raise NotImplementedError("return the output and the gap")

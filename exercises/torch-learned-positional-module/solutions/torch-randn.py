# framework: torch
import torch


class LearnedPositions(torch.nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.register_parameter("table", torch.nn.Parameter(0.02 * torch.randn(max_len, d_model)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        N, T, d_model = x.shape
        if T > self.max_len:
            raise ValueError(f"sequence of {T} is longer than {self.max_len}")
        rows = self.table.narrow(0, 0, T)                   # (T, d_model)
        return x + rows.unsqueeze(0).expand(N, T, d_model)

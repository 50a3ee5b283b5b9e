# allowed: wrong_answer
# framework: torch
# Monkeypatch torch / jax comparison and RNG.
# Patched for themselves: the comparison is in another process.

import torch
torch.allclose = torch.equal = lambda *a, **k: True
torch.manual_seed = lambda s: None
torch.testing.assert_close = lambda *a, **k: None
def solve(x): return torch.zeros(1)

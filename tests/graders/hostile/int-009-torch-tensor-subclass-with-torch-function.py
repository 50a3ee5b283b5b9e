# allowed: wrong_answer, runtime_error
# framework: torch
# torch.Tensor subclass with __torch_function__.
# As before, for torch.

import torch
class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls, f, t, a=(), k=None): return True
def solve(x): return torch.zeros(1).as_subclass(T)

# allowed: wrong_answer, runtime_error
# framework: torch
# torch.load, without its weights_only, of a file that runs code as it is read.
# It may run its own code in its own box. No file of it is read anywhere else.

import os, torch
class Runs:
    def __reduce__(self): return (print, ("a pickle ran, in the box",))
def solve(x):
    torch.save({"x": Runs()}, "/box/x.pt")
    torch.load("/box/x.pt", weights_only=False)
    os.rename("/box/x.pt", "/box/result.pt")
    return x

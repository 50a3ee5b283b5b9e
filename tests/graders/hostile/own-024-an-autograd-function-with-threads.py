# allowed: wrong_answer, runtime_error
# framework: torch
# A gradient whose backward pass, on autograd's own thread, starts threads that write to every descriptor.
# All threads of a box are behind its walls.

import json, os, struct, sys, time
def frame(tree, blob=b""):
    text = json.dumps({"d": tree}).encode()
    return struct.pack(">II", len(text), len(blob)) + text + blob
def question():
    frame_ = sys._getframe()
    while frame_ is not None:
        if "request" in frame_.f_locals: return frame_.f_locals["request"]["n"]
        frame_ = frame_.f_back
    return 2

import threading, torch
class Forges(torch.autograd.Function):
    @staticmethod
    def forward(context, x): return x.clone()
    @staticmethod
    def backward(context, gradient):
        def forge():
            for fd in range(3, 16):
                try: os.write(fd, frame({"n": 3, "ok": True}))
                except OSError: pass
        threads = [threading.Thread(target=forge) for _ in range(16)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        return gradient
def solve(x):
    y = Forges.apply(x.requires_grad_()).sum()
    y.backward()
    return x.grad

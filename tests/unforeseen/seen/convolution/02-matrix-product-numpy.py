# cause: patch @ kernel is a matrix product; the sum of the products entry by entry is (patch * kernel).sum().
# names: matrix (product|multipl)|matmul|`?patch @|`@`|element.?wise|entry by entry|entr(y|ies).{0,30}(by|with) (its |the )?(entry|entries)|\bdot\b|(pixel|number|place) (by|for) (pixel|number|place)|multipl\w* each
import numpy as np

def convolution(x, kernel, s=1):
    N, H, W = x.shape
    k = kernel.shape[0]
    h_out = (H - k) // s + 1
    w_out = (W - k) // s + 1
    out = np.zeros((N, h_out, w_out), dtype=np.float32)
    for n in range(N):
        for i in range(h_out):
            for j in range(w_out):
                patch = x[n, i*s:i*s+k, j*s:j*s+k]
                out[n, i, j] = np.sum(patch @ kernel)
    return out

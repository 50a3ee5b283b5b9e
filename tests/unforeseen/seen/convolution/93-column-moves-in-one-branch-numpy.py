# cause: c moves on only where the kernel does not fit any more, in the else branch; after a sum it stays, so the loop never ends.
# names: (branch|where|when|if|else).{0,80}(neither|nothing|no\b|not|only).{0,60}\bc\b|`c`.{0,40}(never|not|stays|same|only)|nothing.{0,60}chang.{0,30}`c`
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    N, H, W = x.shape
    y = np.zeros((N, (H - k) // s + 1, (W - k) // s + 1), dtype=np.float32)
    for r in range(y.shape[1]):
        c = 0
        while c < W:
            if c + k <= W and c % s == 0:
                y[:, r, c // s] = (x[:, r * s:r * s + k, c:c + k] * kernel).sum((1, 2))
            else:
                c += 1
    return y

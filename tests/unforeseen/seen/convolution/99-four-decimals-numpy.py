# cause: The sums are rounded to 4 decimals; all digits are needed, so leave the rounding out.
# names: leave the rounding|round\w*.{0,60}(should not|leave|out)
import numpy as np


def convolution(x, kernel, s=1):
    k = kernel.shape[0]
    windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(1, 2))[:, ::s, ::s]
    y = (windows * kernel).sum(axis=(3, 4))
    return np.round(y, 4)

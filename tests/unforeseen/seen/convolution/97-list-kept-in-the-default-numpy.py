# cause: The list sums is a mutable default argument, made once, so the sums of earlier calls are still in it at the next call.
# names: default|made once|kept between|earlier calls?
import numpy as np


def convolution(x, kernel, s=1, sums=[]):
    k = len(kernel)
    for image in x:
        rows = []
        for r in range(0, image.shape[0] - k + 1, s):
            rows.append([(image[r:r + k, c:c + k] * kernel).sum() for c in range(0, image.shape[1] - k + 1, s)])
        sums.append(rows)
    return np.array(sums, dtype=np.float32)

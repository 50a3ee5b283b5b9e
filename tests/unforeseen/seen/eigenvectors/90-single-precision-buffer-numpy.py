# cause: The values are written into a float32 buffer and lose their digits there; make the buffer float64. A cast at the end does not bring them back.
# names: buffer|np\.empty|(lose|lost|fewer|keeps?).{0,30}digits|line 7\b|float32.{0,60}(array|written|stored|made)|where .{0,40}(is made|made)
import numpy as np


def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    order = np.argsort(-np.abs(w))
    values = np.empty(len(w), dtype=np.float32)
    for j, place in enumerate(order):
        values[j] = w[place]
    return {"values": values, "vectors": v[:, order]}

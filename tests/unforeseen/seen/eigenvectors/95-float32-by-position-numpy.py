# cause: The values are written into a float32 buffer and lose their digits there; make the buffer float64. A cast at the end does not bring them back.
# names: buffer|np\.zeros|(lose|lost|fewer|keeps?).{0,30}digits|line 6\b|where .{0,40}(is made|made)
import numpy as np

half = np.float32
def eigenvectors(a):
    w, v = np.linalg.eigh(a)
    values = np.zeros(len(w), half)
    order = np.argsort(-np.abs(w))
    values[:] = w[order]
    return {"values": values, "vectors": v[:, order]}

# cause: The return is indented into the loop, so the function ends after row 0 and all other rows are still the zeros of the buffer.
# names: return.{0,80}(inside|within|in|into|belongs after|out of|behind|too deep).{0,20}loop|indent|loop (ends|stops|runs|is left).{0,40}(first|once|one)|(stops?|ends?|leaves?|left|returns?).{0,30}(after|in) (row 0|the first (row|turn|pass|round|iteration))|only the first row
import numpy as np


def solve(x: np.ndarray) -> np.ndarray:
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        shifted = x[i] - np.max(x[i])
        exps = np.exp(shifted)
        out[i] = exps / np.sum(exps)
        return out

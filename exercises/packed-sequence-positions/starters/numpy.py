import numpy as np


def packed_positions(segment_ids: np.ndarray) -> np.ndarray:
    """The position of each token within its document.

    segment_ids: (N, T) int32; 0 is padding
    returns:     (N, T) int32; 0 for padding
    """
    # 1. Where does a document start? Compare with the token before.
    # 2. For each token, the place of the latest start.
    # 3. How far is it from there?
    raise NotImplementedError("write steps 1 to 3")

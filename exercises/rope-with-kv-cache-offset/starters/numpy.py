import numpy as np


def rope_with_cache(
    q: np.ndarray,
    k: np.ndarray,
    cached_keys: np.ndarray,
    base: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Rotate new queries and keys, and append the keys to the cache.

    q, k:        (N, H, T, d) float32, not rotated
    cached_keys: (N, H, S, d) float32, rotated to 0, ..., S - 1
    returns:     queries (N, H, T, d) and keys (N, H, S + T, d)
    """
    # 1. The positions of the new tokens: (T,).
    # 2. Rotate q and k to them.
    # 3. Join the cache and the new keys.
    raise NotImplementedError("write steps 1 to 3")

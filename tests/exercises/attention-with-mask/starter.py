def attention(q, k, v, mask=None):
    """q, k: (T, D), v: (T, E) float32; mask: (T, T) bool, or None → (T, E) float32"""
    raise NotImplementedError("compare, mask, normalise, average")

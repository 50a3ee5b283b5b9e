def multiplied(x):
    """x: (N,) float64 → (N,) float64, {{factor}} times as large"""
    raise NotImplementedError("write me")

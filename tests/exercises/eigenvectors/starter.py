def eigenvectors(a):
    """a: (n, n) float64, symmetric → {"values": (n,), "vectors": (n, n)}"""
    raise NotImplementedError("decompose, then sort")

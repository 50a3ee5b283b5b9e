def share_of_row(x):
    return x / x.sum(axis=1, keepdims=True)  # (N, C) / (N, 1)

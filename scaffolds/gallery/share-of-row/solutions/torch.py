def share_of_row(x):
    return x / x.sum(dim=1, keepdim=True)  # (N, C) / (N, 1)

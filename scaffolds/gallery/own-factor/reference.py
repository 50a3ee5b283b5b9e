def multiplied(x):
    return x * {{factor}}  # (N,)

"""You divide by the sums of the columns: sum over the last axis, `axis=1`, and keep it with `keepdims=True`."""


def share_of_row(x):
    return x / x.sum(axis=0)

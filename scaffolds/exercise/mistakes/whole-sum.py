"""You divide by the sum of the whole array: each row has a sum of its own, `axis=1`."""


def ENTRY(x):
    return x / x.sum()

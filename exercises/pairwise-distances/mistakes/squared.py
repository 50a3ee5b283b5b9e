# framework: numpy
"""These are the squares of the distances. Take the square root at the end."""


def pairwise_distances(a, b):
    return ((a[:, None] - b) ** 2).sum(axis=-1)

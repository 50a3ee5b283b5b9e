# framework: numpy
# verdict: runtime_error
"""`x[index]` picks whole rows of `x`, whatever the axis, and fails where the index names a column. Name a place on both
axes, `x[rows, columns]`, or use `np.take_along_axis`."""


def gather_along_axis(x, index, axis):
    return x[index]

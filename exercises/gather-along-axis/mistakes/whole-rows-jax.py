# framework: jax
"""`x[index]` picks whole rows of `x`, whatever the axis, of the shape `(I, J, C)`. Name a place on both axes, `x[rows,
columns]`, or use `jnp.take_along_axis`."""


def gather_along_axis(x, index, axis):
    return x[index]

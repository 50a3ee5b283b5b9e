"""The frameworks that an exercise may be in."""

FRAMEWORKS = ("numpy", "jax", "torch")

# framework: jax
"""Right near zero, wrong for numbers far from it: Flax's `nn.LayerNorm` computes `E[x^2] - E[x]^2`, a small difference
of large numbers. Pass `use_fast_variance=False`, or subtract the mean before you square."""

import flax.linen as nn


def layer_norm(x, scale, shift, eps):
    return nn.LayerNorm(epsilon=eps).apply({"params": {"scale": scale, "bias": shift}}, x)

# framework: jax
# verdict: runtime_error
"""Your string reads the inputs as `(B, H, T, d)`, but the tokens come before the heads, `(B, T, H, d)`. Begin with
`bthi,bshi`."""

import math

import jax.numpy as jnp


def attention_scores(q, k):
    return jnp.einsum("bhti,bhsi->bhts", q, k) / math.sqrt(q.shape[-1])

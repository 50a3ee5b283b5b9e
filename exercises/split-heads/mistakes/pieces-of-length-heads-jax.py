# framework: jax
# verdict: runtime_error
"""Your pieces do not all have the same length, as when head h takes the numbers from `h * H` to `(h + 1) * H`. Each piece
is `d = D // H` numbers long: from `h * d` to `(h + 1) * d`."""

import jax.numpy as jnp


def split_heads(x, H):
    return jnp.stack([x[:, :, h * H : (h + 1) * H] for h in range(H)], axis=1)

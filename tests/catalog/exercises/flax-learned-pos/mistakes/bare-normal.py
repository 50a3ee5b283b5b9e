# framework: jax
"""You drew the table with `jax.random.normal` straight from `PRNGKey(seed)`. The distribution is right, but the
numbers differ, because Flax derives a separate key for each parameter. Declare the table with `self.param` and let
`model.init` draw it."""

import jax


def learned_pos_embed_forward(seed, T, d_model):
    table = 0.02 * jax.random.normal(jax.random.PRNGKey(seed), (32, d_model))
    return table[:T].reshape(-1)

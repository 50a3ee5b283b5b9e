# framework: jax
import jax
import jax.numpy as jnp
from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T: int, d_model: int, *, rngs: nnx.Rngs):
        self.max_T = max_T
        key = rngs.params()
        self.table = nnx.Param(0.02 * jax.random.normal(key, (max_T, d_model)))

    def __call__(self, T: int) -> jax.Array:
        if T > self.max_T:
            raise ValueError(f"there are only {self.max_T} positions")
        return jnp.take(self.table[...], jnp.arange(T), axis=0)     # (T, d_model)

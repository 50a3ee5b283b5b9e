# cause: .long() is a PyTorch method; a JAX array is cast with .astype(jnp.int32).
# names: (jax|array\w*|jnp|it).{0,40}(no|not have|n't have).{0,20}`?\.?long\b|\.?long(\(\))?`? (is|belongs|comes|does|exists).{0,40}torch|(py)?torch('s)? (method|name|function)|no attribute|has no (method|`?\.?long)|from pytorch|belongs to pytorch
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(
    positions: jax.Array, embedding_table: jax.Array
) -> jax.Array:
    ids = positions.long()
    return embedding_table[ids]

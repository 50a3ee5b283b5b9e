# cause: np.asarray wants the actual numbers, but inside jax.jit positions is a tracer without any; cast with positions.astype(jnp.int32).
# names: tracer|traced|tracing|np\.(as)?array|(numpy|`np\.?\w*`?).{0,60}(jit|compil|trac|jnp)|(jit|compil\w*).{0,60}(numpy|`?np\b)|inside.{0,10}jit|use `?jnp
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def learned_absolute_position_embedding(positions, embedding_table):
    ids = np.asarray(positions, dtype=np.int32)
    return jnp.take(embedding_table, ids, axis=0)

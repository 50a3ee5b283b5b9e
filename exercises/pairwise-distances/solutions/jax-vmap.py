# framework: jax
import jax
import jax.numpy as jnp


def pairwise_distances(a, b):
    def distance(p, q):                                             # (D,), (D,) -> ()
        return jnp.linalg.norm(p - q)

    to_all = jax.vmap(distance, in_axes=(None, 0))                  # (D,), (M, D) -> (M,)
    return jax.vmap(to_all, in_axes=(0, None))(a, b)                # (N, M)

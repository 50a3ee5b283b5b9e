# framework: jax
import jax
import jax.numpy as jnp


@jax.jit
def layer_norm(x, scale, shift, eps):
    def token(features):                                    # (D,) -> (D,)
        centred = features - features.mean()
        return scale * centred / jnp.sqrt((centred**2).mean() + eps) + shift

    return jax.vmap(jax.vmap(token))(x)                     # (B, T, D)

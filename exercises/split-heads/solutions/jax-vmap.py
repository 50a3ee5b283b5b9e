# framework: jax
import jax


def split_heads(x, H):
    def sequence(tokens):                                   # (T, D) -> (H, T, d)
        return tokens.reshape(tokens.shape[0], H, -1).transpose(1, 0, 2)

    return jax.vmap(sequence)(x)                            # (B, H, T, d)

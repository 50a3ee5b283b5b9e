# framework: jax
import jax


def attention_scores(q, k):
    def head(queries, keys):                                # (T, d), (S, d) -> (T, S)
        return queries @ keys.T / queries.shape[-1] ** 0.5

    heads = jax.vmap(head, in_axes=1, out_axes=0)           # (T, H, d), (S, H, d) -> (H, T, S)
    return jax.vmap(heads)(q, k)                            # (B, H, T, S)

# framework: jax
import jax


def embedding_gradient(ids, upstream, max_len):
    tokens = upstream.reshape(-1, upstream.shape[-1])       # (N*T, d_model)
    return jax.ops.segment_sum(tokens, ids.reshape(-1), num_segments=max_len)

# cause: The ids are clipped to T - 1, the length of the sentence, although ids go up to max_len - 1; larger ids get the wrong row.
# names: \bclip|\bclamp\w* (to|at|by) .{0,30}(\bt\b|sentence|length)|(limit|cap)(s|ped|ed)? .{0,30}(t\b|sentence|length)|cut off at|\bt ?- ?1\b|at most `?t\b|(larger|higher|bigger|greater|large) (ids?|positions?).{0,60}(cut|lowered|limited|clamped|become `?t\b)|(ids?|positions?) (above|past|beyond|from) .{0,25}(t\b|sentence|length)
import jax
import jax.numpy as jnp


@jax.jit
def learned_absolute_position_embedding(positions, embedding_table):
    T = positions.shape[-1]
    ids = jnp.clip(positions, 0, T - 1).astype(jnp.int32)   # never out of bounds
    return jnp.take(embedding_table, ids, axis=0)

# cause: The einsum keeps the table's row axis p and sums over the tokens t, when it should sum over p and keep t: "ntp,pd->ntd".
# names: einsum|ntd|sum\w* (over|along|up|across) .{0,20}(token|`?t\b|T\b|wrong|sentence)|(token|T) axis.{0,30}(gone|lost|summed|missing|disappear)|subscript|letters?\b|max_len.{0,30}(axis|shape|instead|in place|where)|\(N, max_len, d_model\)|contract
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    max_len = embedding_table.shape[0]
    hot = jax.nn.one_hot(positions.astype(jnp.int32), max_len)      # n t p
    return jnp.einsum("ntp,pd->npd", hot, embedding_table)

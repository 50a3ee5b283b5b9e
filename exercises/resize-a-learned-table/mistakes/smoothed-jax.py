# framework: jax
"""Your shorter tables are smoothed: `jax.image.resize` averages over several rows when it makes something smaller. And
it knows no aligned corners: compute the places and mix two rows yourself."""

import jax


def resize_table(table, new_len, align_corners):
    return jax.image.resize(table, (new_len, table.shape[1]), "linear")

# cause: A new nn.Embed layer draws a random table of its own; the table that was passed in is used only for its shape.
# names: embed\b.{0,80}(own|random|another|draw|initiali)|(own|another|different|fresh|random|new) (weights|numbers|layer|parameters|values)|random|own table|table of its own|another table|table.{0,30}(given|passed|argument).{0,40}(not|never|un|ignor|only)|(ignor\w*|not use|never use|unused).{0,30}table|use the table
import flax.linen as nn
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    max_len, d_model = embedding_table.shape
    ids = positions.astype(jnp.int32)
    layer = nn.Embed(num_embeddings=max_len, features=d_model)
    params = layer.init(jax.random.PRNGKey(0), ids)
    return layer.apply(params, ids)

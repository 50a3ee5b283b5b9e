# cause: nan_to_num turns the masked scores of -inf into scores of 0, which then get a weight of their own.
# names: ^(?![\s\S]*overflow)[\s\S]*((mask\w*|infinit\w*|-inf\b|-∞).{0,40}(replac|turned|made|becom|set|count|treat)\w*.{0,20}(\b0\b|zero|finite|ordinary)|(replac|turn)\w*.{0,40}(-inf|infinit|mask).{0,40}(\b0\b|zero|finite|number)|scores? of (0|zero)\b|nan_to_num|neginf|mask.{0,80}(weight of (their|its) own|e\^0|still))
import jax
import jax.numpy as jnp


def solve(x):
    clean = jnp.nan_to_num(x, neginf=0.0)   # get rid of the infinities first
    e = jnp.exp(clean - clean.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# framework: jax
# verdict: runtime_error
"""Queries and keys have the same letter in your string, so einsum matches query t with key t, and fails unless there are
as many. Give the keys a letter of their own: `bshi`."""

import math

import jax.numpy as jnp


def attention_scores(q, k):
    return jnp.einsum("bthi,bthi->bht", q, k) / math.sqrt(q.shape[-1])

# framework: torch
"""The scores that you show are right, but you hide the keys after each query with `-inf`. A mask comes later, and not
every model has one: return all scores."""

import math

import torch


def attention_scores(q, k):
    scores = torch.einsum("bthi,bshi->bhts", q, k) / math.sqrt(q.shape[-1])
    seen = torch.ones(scores.shape[-2:]).tril()
    return scores.masked_fill(seen == 0, float("-inf"))

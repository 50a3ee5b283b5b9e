# cause: Scores more than 10 below the maximum are clamped to -10, so very small and masked scores get a weight of about 0.00005 when they should have next to nothing.
# names: clamp|cut off.{0,30}(below|10|under)|-10\b|(more|further|lower) than (10|ten)|(below|beneath).{0,20}(clip|cut)|clip.{0,40}(-10|below|small)|lower (limit|bound)|floor\b
import torch


def solve(x):
    m = x.max(dim=-1, keepdim=True).values
    z = torch.clamp(x - m, min=-10.0)      # against underflow
    e = torch.exp(z)
    return e / e.sum(dim=-1, keepdim=True)

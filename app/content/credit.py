"""Partial credit: what part of a question a half-right answer is worth, from 0 to 1. All right, and only that, is 1.

`choices`: each right option that is picked earns an equal share of 1, each wrong one costs an equal share of 1, never
below 0: picked right / right − picked wrong / wrong. It is the rule `false` of R/exams (Grün and Zeileis,
"Automatic Generation of Exams in R", Journal of Statistical Software 29(10), 2009; `exams_eval`). Whoever picks all or
nothing earns 0, and so does guessing in the long run; where the wrong picks are counted against the right options only
(PrairieLearn's `PC`), picking everything earns something as soon as more options are right than wrong.

`order`: the least number of lines that must be moved is what is not in the longest increasing subsequence (an edit
distance by moves, as PrairieLearn's `pl-order-blocks` counts edits). At worst, in reverse, all but one must be moved:
that earns 0, and each move that is saved an equal share.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence


def choices_credit(picked: Collection[str], right: Collection[str], wrong: Collection[str]) -> float:
    """Keys picked, of those that are right and those that are wrong. Neither of the two is empty."""
    hits, misses = len(set(picked) & set(right)), len(set(picked) & set(wrong))
    if hits == len(right) and not misses:
        return 1.0
    return max(0.0, hits / len(right) - misses / len(wrong))


def moves_needed(order: Sequence[int]) -> int:
    """How many of these distinct places must be moved until they increase."""
    tails: list[int] = []  # tails[n]: the least last place of an increasing run of n + 1
    for place in order:
        at = bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(order) - len(tails)


def order_credit(order: Sequence[int]) -> float:
    """`order`: the right place of each line, in the order given, a permutation of at least two."""
    return 1 - moves_needed(order) / (len(order) - 1)

# cause: The empty list for amount 0 counts as false in the if, so nothing is ever built on it and the answer is always None; compare with None.
# names: empty list|empty.{0,30}(counts?|is|as) (as )?fals|\bfalsy\b|counts as false|truth|is not none|always (returns? |gives? )?`?none\b|`?\[\]`? (is|counts)|(every|all|any) amounts?.{0,30}`?none
def fewest_coins(amount, coins):
    best = [None] * (amount + 1)
    best[0] = []
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and best[a - c]:
                candidate = best[a - c] + [c]
                if best[a] is None or len(candidate) < len(best[a]):
                    best[a] = candidate
    return best[amount]

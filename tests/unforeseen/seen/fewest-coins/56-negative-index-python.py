# cause: total - coin may be negative and then indexes from the end of the list.
# names: negative|from the end|below 0
def fewest_coins(amount, coins):
    best = [None] * (amount + 1)
    best[0] = []
    for total in range(1, amount + 1):
        for coin in coins:
            before = best[total - coin]
            if before is not None and (best[total] is None or len(before) + 1 < len(best[total])):
                best[total] = before + [coin]
    return best[amount]

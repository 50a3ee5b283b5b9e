# cause: the best list starts at amount 1, so amount 0 gives None
# names: 0|empty|nothing
def fewest_coins(amount, coins):
    if not amount:
        return None
    best = {0: []}
    for total in range(1, amount + 1):
        for coin in coins:
            if total - coin in best:
                way = best[total - coin] + [coin]
                if total not in best or len(way) < len(best[total]):
                    best[total] = way
    return best.get(amount)

# cause: best[total - coin] is appended to in place, so that lists are shared and grow for all amounts.
# names: same list|in place|append|shared|copy
def fewest_coins(amount, coins):
    best = [None] * (amount + 1)
    best[0] = []
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total and best[total - coin] is not None:
                way = best[total - coin]
                if best[total] is None or len(way) + 1 < len(best[total]):
                    way.append(coin)
                    best[total] = way
    return best[amount]

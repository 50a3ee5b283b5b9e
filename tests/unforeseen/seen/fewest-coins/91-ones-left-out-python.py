# cause: Coins of 1 are left out as if they were of no use, but a coin of 1 is a coin like any other.
# names: coins? of 1\b|`?coin != 1|leave .{0,40}(condition|filter|test|`if`)|(condition|filter|test|`if`).{0,60}(one )?too (many|much)|(1|one) .{0,30}(like any other|counts|left out|skipped)|should not be there
def fewest_coins(amount, coins):
    useful = [coin for coin in coins if coin != 1]
    best = {0: []}
    for total in range(1, amount + 1):
        for coin in useful:
            if total - coin in best:
                way = best[total - coin] + [coin]
                if total not in best or len(way) < len(best[total]):
                    best[total] = way
    return best.get(amount)

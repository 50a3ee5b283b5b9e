"""Where no coins add up to the amount you return a list. Return `None`."""

def fewest_coins(amount, coins):
    best = {0: []}
    for total in range(1, amount + 1):
        ways = [[*best[total - coin], coin] for coin in coins if total - coin in best]
        if ways:
            best[total] = min(ways, key=len)
    return best.get(amount, [])

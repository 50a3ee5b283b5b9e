# cause: Where a coin fits, the coin is counted but rest is not made smaller and start is not moved on, so the loop never ends.
# names: (branch|where|when|if).{0,60}(neither|nothing|no\b|not).{0,60}(rest|start|chang)|`?rest`?.{0,40}(never|not|stays|same|smaller|reduc|subtract)|nothing.{0,60}chang.{0,30}(rest|start)|`start`.{0,30}(only|never|not|stays)
def fewest_coins(amount, coins):
    if amount == 0:
        return []
    coins = sorted(coins, reverse=True)
    rest = amount
    used = 0
    start = 0
    while start < len(coins):
        if coins[start] <= rest:
            used += 1
        else:
            start += 1
    return used

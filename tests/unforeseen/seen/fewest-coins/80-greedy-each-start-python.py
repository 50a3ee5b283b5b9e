# cause: Greedy is tried once from each coin as the start and the best is kept, which still misses choices that greedy never makes.
# names: greedy|largest (first|coin)|every choice|all (choices|ways)|each start|fewer
def fewest_coins(amount, coins):
    if amount == 0:
        return []
    best = None
    ordered = sorted(coins, reverse=True)
    for start in range(len(ordered)):
        left, taken = amount, []
        for coin in ordered[start:]:
            while coin <= left:
                left -= coin
                taken.append(coin)
        if left == 0 and (best is None or len(taken) < len(best)):
            best = taken
    return best

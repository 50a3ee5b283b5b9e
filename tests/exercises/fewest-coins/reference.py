def fewest_coins(amount, coins):
    best = {0: []}
    # mutants: to begin at 0 makes a difference only with a coin of 0, which there is not
    for total in range(1, amount + 1):
        ways = [[*best[total - coin], coin] for coin in coins if total - coin in best]
        if ways:
            best[total] = min(ways, key=len)
    return best.get(amount)

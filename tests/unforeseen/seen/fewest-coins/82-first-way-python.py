# cause: The first way that is found for a total is kept, though a later coin may need fewer.
# names: first|fewer|len\(|compare|not in|shorter|larger|more coins
def fewest_coins(amount, coins):
    best = {0: []}
    for total in range(1, amount + 1):
        for coin in coins:
            if total - coin in best and total not in best:
                best[total] = best[total - coin] + [coin]
    return best.get(amount)

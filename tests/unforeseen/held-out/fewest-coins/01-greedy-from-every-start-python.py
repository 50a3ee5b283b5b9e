# cause: From every largest coin it still takes as many of each coin as fit before it goes to the next smaller one, so choices with fewer of the larger coin are never tried.
# names: greed|as (many|often)\b.{0,40}(fit|go|possible)|(largest|biggest|larger|bigger|highest).{0,40}(first|fits?|always|as long as)|(always|still) tak\w*.{0,40}(largest|biggest|larger)|(not|never).{0,30}(tried|all (choices|combinations|ways|mixtures)|every (choice|combination)|consider)|smaller amounts first|dynamic|fewer of the larger
def fewest_coins(amount, coins):
    coins = sorted(coins, reverse=True)
    if amount == 0:
        return []
    best = None
    # greedy alone fails for 6 = 3 + 3, so try it from every coin on
    for start in range(len(coins)):
        rest = amount
        used = []
        for coin in coins[start:]:
            while rest >= coin:
                rest -= coin
                used.append(coin)
        if rest == 0 and (best is None or len(used) < len(best)):
            best = used
    return best

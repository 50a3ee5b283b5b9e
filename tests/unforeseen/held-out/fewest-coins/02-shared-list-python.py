# cause: way = best[total - coin] is the same list and not a copy, so append also changes the answer for the smaller amount.
# names: copy|copie|same list|alias|shar(e|ed|es)|append\b.{0,60}(also|chang|same|other|smaller|earlier)|(chang|modif|mutat)\w*.{0,40}(smaller|earlier|other|stored|both|too|list)|new list|\+ \[coin\]
def fewest_coins(amount, coins):
    best = {0: []}
    for total in range(1, amount + 1):
        for coin in coins:
            if total - coin in best:
                way = best[total - coin]
                if total not in best or len(way) + 1 < len(best[total]):
                    way.append(coin)
                    best[total] = way
    if amount in best:
        return best[amount]
    return None

# cause: returns -1 in place of None if there's no way
# names: None
def fewest_coins(amount, coins):
    best = {0: []}
    for total in range(1, amount + 1):
        ways = [best[total - c] + [c] for c in coins if total - c in best]
        if ways:
            best[total] = min(ways, key=len)
    return best.get(amount, -1)

# cause: range(1, amount) leaves out the amount itself.
# names: last|amount|range|one (short|early|less)
def fewest_coins(amount, coins):
    best = {0: []}
    for total in range(1, amount):
        ways = [best[total - c] + [c] for c in coins if total - c in best]
        if ways:
            best[total] = min(ways, key=len)
    return best.get(amount)

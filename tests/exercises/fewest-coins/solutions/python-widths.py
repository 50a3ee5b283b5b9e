def fewest_coins(amount, coins):
    paid = {0: ()}
    edge = [0]
    while edge and amount not in paid:
        reached = {total + coin: (coin, *paid[total]) for total in edge for coin in coins if total + coin <= amount}
        edge = [total for total in reached if total not in paid]
        paid |= {total: reached[total] for total in edge}
    return list(paid[amount]) if amount in paid else None

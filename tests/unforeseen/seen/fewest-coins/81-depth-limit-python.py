# cause: The search stops after 4 coins, so amounts that need more give None.
# names: range\(|4|loop|too (few|early)|more (passes|rounds|coins)
def fewest_coins(amount, coins):
    edge = {0: []}
    if amount == 0:
        return []
    for _ in range(4):
        following = {}
        for total, used in edge.items():
            for coin in coins:
                if total + coin not in following:
                    following[total + coin] = used + [coin]
        if amount in following:
            return following[amount]
        edge = following
    return None

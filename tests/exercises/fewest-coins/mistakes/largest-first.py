"""You always take the largest coin that fits. That is not always the best choice: try 6 with 1, 3 and 4."""


def fewest_coins(amount, coins):
    paid = []
    for coin in sorted(coins, reverse=True):
        paid += amount // coin * [coin]
        amount %= coin
    return paid if not amount else None

"""You use no coin twice. There are as many of each as you like."""

from itertools import combinations


def fewest_coins(amount, coins):
    for count in range(len(coins) + 1):
        for chosen in combinations(coins, count):
            if sum(chosen) == amount:
                return list(chosen)
    return None

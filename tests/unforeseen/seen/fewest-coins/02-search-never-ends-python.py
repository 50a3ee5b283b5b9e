# cause: The while loop waits until the amount has been reached, and never ends when no coins add up to it; stop when a round finds nothing new and return None.
# names: (never|not|n't) (end|finish|stop|terminat|done|come to)\w*|(does|did|do)(n't| not) return\b|endless|infinite|forever|`while\b|while (loop|the amount)|(can ?not|can't|never) be (paid|reached)
def fewest_coins(amount, coins):
    ways = {0: []}
    while amount not in ways:
        new = {}
        for total, used in ways.items():
            for c in coins:
                t = total + c
                if t <= amount and t not in ways:
                    new[t] = used + [c]
        ways.update(new)
    return ways[amount]

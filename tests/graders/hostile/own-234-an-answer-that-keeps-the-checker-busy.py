# allowed: wrong_answer, output_limit
# As many coins as fit into an answer, each of them true in itself.
# A checker has the exercise's own limits, and fails on the answer's account.
# exercise: fewest-coins

def fewest_coins(amount, coins):
    return list(coins) * (100_000 // max(1, len(coins)))

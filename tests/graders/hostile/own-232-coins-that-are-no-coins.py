# allowed: wrong_answer
# NaN, true, a whole float, a text, a list in the list: in sums and sets they may pass for numbers.
# The declared type is checked before the checker is asked.
# exercise: fewest-coins

turn = 0
def fewest_coins(amount, coins):
    global turn
    turn += 1
    return [[float("nan")], [True] * amount, [float(amount)], [[amount]], ["6"], [amount + 0j], {amount}, (None,)][turn % 8]

# allowed: wrong_answer, runtime_error
# Lists in lists, ten thousand deep, and one that holds itself.
# The wall has a depth beyond which nothing crosses.
# exercise: fewest-coins

def fewest_coins(amount, coins):
    deep = []
    for _ in range(10_000): deep = [deep]
    around = []
    around.append(around)
    return deep if amount % 2 else around

TWO = """
running = RunningMean()
running.add(2)
running.add(4)
running.mean
running.count
"""
DRAWN = """
running = RunningMean()
for number in numbers:
    running.add(number)
running.mean
running.count
running.mean
"""
APART = """
a = RunningMean()
b = RunningMean()
a.add(numbers[0])
b.add(numbers[1])
[a.mean, b.mean, a.count]
"""
NEW = """
a = RunningMean()
a.add(numbers[0])
a.mean
RunningMean().mean
"""
HALFWAY = """
walk = means(numbers)
next(walk)
next(walk)
list(walk)
"""


def sample_cases(rng):
    yield "two numbers", script(TWO)
    yield "no number", script("running = RunningMean()\nrunning.count\nrunning.mean")


def hidden_cases(rng):
    yield "drawn numbers", script(DRAWN, numbers=numbers(rng, 7))
    yield "the mean after each", script("list(means(numbers))", numbers=numbers(rng, 5))
    yield "two at a time", script(APART, numbers=numbers(rng, 2))
    yield "one after the other", script(HALFWAY, numbers=numbers(rng, 4))
    yield "a new one beside it", script(NEW, numbers=numbers(rng, 1))
    yield "no mean of nothing", script("list(means([]))\nRunningMean().mean")


def numbers(rng, count):
    return [round(float(number), 2) for number in rng.uniform(-9, 9, count)]

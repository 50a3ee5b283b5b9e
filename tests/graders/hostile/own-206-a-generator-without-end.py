# allowed: time_limit, memory_limit
# A script makes a list of what a generator yields, which never ends.
# Time and memory of a call are limited, in all code that makes it.
# exercise: running-mean

class RunningMean:
    def __init__(self):
        self.count, self.total = 0, 0.0
    def add(self, number):
        self.count, self.total = self.count + 1, self.total + number
    @property
    def mean(self):
        if not self.count: raise ValueError("no numbers yet")
        return self.total / self.count
def means(numbers):
    running = RunningMean()
    for number in numbers:
        running.add(number)
        yield running.mean

def means(numbers):
    while True: yield 1.0

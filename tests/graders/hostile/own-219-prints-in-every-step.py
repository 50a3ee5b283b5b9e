# allowed: output_limit
# Each step of a script prints more than a submission may.
# Prints are counted for the whole of a call.
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

class RunningMean(RunningMean):
    def add(self, number):
        for _ in range(1 << 10): print("x" * (1 << 10))
        super().add(number)
    mean = property(lambda self: print("x" * (2 << 20)))

# cause: The loop in means ends before the last number.
# names: last|range|too early|missing|:-1
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, number):
        self.count += 1
        self.total += number

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError("empty")
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for i in range(len(numbers) - 1):
        running.add(numbers[i])
        yield running.mean

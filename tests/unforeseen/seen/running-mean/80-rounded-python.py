# cause: The mean is rounded to two decimal places.
# names: round|decimal
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, number):
        self.total += number
        self.count += 1

    @property
    def mean(self):
        if self.count == 0:
            raise ValueError("no numbers yet")
        return round(self.total / self.count, 2)


def means(numbers):
    m = RunningMean()
    for n in numbers:
        m.add(n)
        yield m.mean

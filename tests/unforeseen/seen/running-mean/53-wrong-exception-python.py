# cause: raises ZeroDivisionError / a plain Exception in place of ValueError
# names: ValueError
class RunningMean:
    def __init__(self):
        self.count = 0
        self.total = 0

    def add(self, number):
        self.count += 1
        self.total += number

    @property
    def mean(self):
        if self.count == 0:
            raise Exception("nothing yet")
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    for n in numbers:
        running.add(n)
        yield running.mean

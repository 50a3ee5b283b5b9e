# cause: count and total are class attributes changed on the class, so that all objects share them
# names: share|class|all objects
class RunningMean:
    count = 0
    total = 0.0

    def add(self, number):
        RunningMean.count += 1
        RunningMean.total += number

    @property
    def mean(self):
        if RunningMean.count == 0:
            raise ValueError("nothing yet")
        return RunningMean.total / RunningMean.count


def means(numbers):
    running = RunningMean()
    for n in numbers:
        running.add(n)
        yield running.mean

# cause: means returns a list, not a generator, so next fails.
# names: yield|generator|iterator|list
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
            raise ValueError("nothing yet")
        return self.total / self.count


def means(numbers):
    running = RunningMean()
    out = []
    for n in numbers:
        running.add(n)
        out.append(running.mean)
    return out

class RunningMean:
    def __init__(self):
        self.count, self._mean = 0, 0.0

    def add(self, number):
        self.count += 1
        self._mean += (number - self._mean) / self.count

    def __getattr__(self, name):
        if name == "mean" and self.count:
            return self._mean
        raise ValueError("no mean without numbers") if name == "mean" else AttributeError(name)


def means(numbers):
    running = RunningMean()
    return (running.mean for number in numbers if running.add(number) is None)

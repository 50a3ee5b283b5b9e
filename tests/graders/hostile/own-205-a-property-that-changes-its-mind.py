# allowed: wrong_answer
# The mean is right the first time that it is asked, and another number the second.
# Each statement's value is compared; a script may ask twice.
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
    asked = 0
    @property
    def mean(self):
        self.asked += 1
        return super().mean + (self.asked > 1)

# allowed: wrong_answer, runtime_error
# A method empties the script's namespace, or puts another class under the name.
# A script without its names raises a NameError, as it would for anybody.
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

import sys
class RunningMean(RunningMean):
    def add(self, number):
        names = sys._getframe(1).f_globals
        names["__builtins__"] = {}
        names.clear()

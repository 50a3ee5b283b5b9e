# allowed: wrong_answer, runtime_error
# The builtins that a script and the runner use are replaced when the module loads.
# They are the student's own process's: it can spoil its answers and nothing else.
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

import ast, builtins
def means(numbers): return [0.0]
builtins.isinstance = builtins.hasattr = lambda *_: True
builtins.len = lambda _: 0
builtins.list = builtins.sorted = builtins.tuple = lambda *_: []
builtins.compile = lambda *_, **__: "0"
builtins.eval = builtins.exec = lambda *_, **__: 2
ast.parse = lambda *_, **__: ast.Module([], [])

# allowed: wrong_answer, runtime_error
# The entry is an object at the top of the module, whose __call__ and whose attributes answer anything.
# A script calls it as it would a class; its values are compared all the same.
# exercise: running-mean

class Anything:
    __call__ = lambda self, *_, **__: self
    __getattr__ = lambda self, name: self
    __iter__ = lambda self: iter([self])
    __next__ = lambda self: self
    __signature__ = property(lambda self: 1 / 0)
RunningMean = means = Anything()

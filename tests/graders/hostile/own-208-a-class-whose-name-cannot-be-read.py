# allowed: runtime_error, wrong_answer
# The exception's class raises when its name, its bases or its text is asked for; so does what that raises.
# What cannot be told of an exception is left out, and it stays one.
# exercise: running-mean

class Meta(type):
    __name__ = property(lambda self: wrong())
    __mro__ = property(lambda self: wrong())
    def mro(cls): return [cls, *type.mro(cls)[1:]]
class Lie(BaseException, metaclass=Meta):
    __str__ = __repr__ = lambda self: wrong()
    __traceback__ = property(lambda self: wrong(), lambda self, value: wrong())
def wrong(*_): raise Lie
class RunningMean:
    count = mean = property(wrong)
    add = wrong
means = wrong

# allowed: wrong_answer, runtime_error
# Whatever is asked, an exception answers, whose class says that it is the expected one.
# An exception is an answer only where the reference raises one, and its name earns nothing elsewhere.
# exercise: running-mean

class Meta(type):
    __name__ = property(lambda self: "ValueError")
    __mro__ = property(lambda self: (self, ValueError, object))
    __instancecheck__ = __subclasscheck__ = lambda *_: True
class Lie(BaseException, metaclass=Meta):
    __class__ = ValueError
    __str__ = lambda self: "no numbers yet"
def wrong(*_): raise Lie
class RunningMean:
    count = mean = property(wrong)
    add = wrong
means = wrong

# allowed: runtime_error, wrong_answer
# The class's name is a text of a class of its own, whose length, slices and encoding lie; its bases have none.
# A name becomes plain text, or it is none.
# exercise: running-mean

class Text(str):
    __len__ = lambda self: -1
    __getitem__ = lambda self, key: self * 1000
    __str__ = lambda self: self
    encode = lambda self, *_: b"\xff"
    __format__ = lambda self, spec: 5
class Meta(type):
    __name__ = property(lambda self: Text("ValueError\0\ud800"))
    __mro__ = property(lambda self: [self, 1, None, Text, self])
class Lie(Exception, metaclass=Meta):
    __str__ = lambda self: Text("\0\ud800" * 9)
def wrong(*_): raise Lie
class RunningMean:
    count = mean = property(wrong)
    add = wrong
means = wrong

"""You count each word once, however often it was added."""


class Tally:
    def __init__(self):
        self.counts = {}

    def add(self, word):
        self.counts[word] = 1

    def count(self, word):
        return self.counts.get(word, 0)

    def most(self):
        if not self.counts:
            raise ValueError("nothing was added")
        return max(self.counts, key=self.counts.get)

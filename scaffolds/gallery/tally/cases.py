COUNTED = """
tally = Tally()
for word in words:
    tally.add(word)
tally.count(asked)
tally.most()
"""


def sample_cases(rng):
    yield "three words", script(COUNTED, words=["row", "column", "row"], asked="column")
    yield "an empty tally", script("Tally().most()")


def hidden_cases(rng):
    for number in range(3):
        words = [str(word) for word in rng.choice(["a", "b", "c", "d"], 9)]
        yield f"drawn {number}", script(COUNTED, words=words, asked=words[-1])
    drawn = "".join(str(letter) for letter in rng.choice(list("abcdefgh"), 6))
    yield "nothing was added, and a word", script("tally = Tally()\ntally.count(word)\ntally.most()", word=drawn)
    yield "a word that was never added", script(COUNTED, words=["a", "b", "b"], asked="c")
    yield "equally often", script(COUNTED, words=["d", "a", "a", "d", "b"], asked="a")
    yield "two tallies", script("one, other = Tally(), Tally()\none.add('a')\nother.count('a')")

# allowed: invalid_submission, memory_limit, time_limit
# The source is SOURCE: its one line would be too long for a file of its own.
# A sum of thirty thousand ones.
# As before.

SOURCE = "+".join(["1"] * 30_000)

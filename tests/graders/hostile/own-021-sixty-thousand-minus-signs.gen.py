# allowed: invalid_submission, memory_limit
# The source is SOURCE: its one line would be too long for a file of its own.
# Sixty thousand minus signs: the parser's own stack, whose end is a MemoryError that is none.
# What the compiler raises says that it is no submission.

SOURCE = "-" * 60_000 + "1"

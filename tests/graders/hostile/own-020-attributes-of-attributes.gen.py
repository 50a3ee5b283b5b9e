# allowed: invalid_submission, memory_limit, runtime_error, time_limit
# The source is SOURCE: its one line would be too long for a file of its own.
# Sixty kilobytes of attributes of attributes: a tree thirty thousand deep for the compiler.
# Compiled in the box, within its memory and time.

SOURCE = "a" + ".b" * 30_000

# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# NUL byte in source.
# Python reads no NUL, and PostgreSQL stores none.

SOURCE = 'a = 1\x00\n'

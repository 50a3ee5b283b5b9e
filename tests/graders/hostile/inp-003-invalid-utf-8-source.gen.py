# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# Invalid UTF-8 source.
# Told with its line, before any box.

SOURCE = b'x = "\xff\xfe"\n'

# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# Deep nesting: unary / lambda / not (parser stack).
# As before; own-021 is the largest of its kind that is compiled.

SOURCE = '-' * 100000 + '1'

# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# Deep AST by operator chain.
# As before; own-022 is the largest of its kind that is compiled.

SOURCE = '+'.join(['1'] * 50000)

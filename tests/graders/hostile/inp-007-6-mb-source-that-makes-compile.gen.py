# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# 6 MB source that makes compile() take 1.1 GB.
# As before; own-020 is the largest of its kind that is compiled.

SOURCE = 'a' + '.b' * 3000000

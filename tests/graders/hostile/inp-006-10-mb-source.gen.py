# allowed: invalid_submission
# The source is SOURCE: too large, or no text, for a file of its own.
# 10 MB source.
# Over 64 KiB nothing is looked at. (Over 1 MiB the web does not even read it: 413, tests/app/test_hostile.py.)

SOURCE = 'x = 1\n' * 1800000

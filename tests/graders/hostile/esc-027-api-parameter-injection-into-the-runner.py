# allowed: elsewhere
# API parameter injection into the runner command line / limits.
# Limits are the exercise's, names are looked up, and a field that is not known is refused.
# Judged by its oracle: tests/app/test_hostile.py.


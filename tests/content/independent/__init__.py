"""For each exercise, the right output computed another way than its reference does: `expected(**inputs)`."""

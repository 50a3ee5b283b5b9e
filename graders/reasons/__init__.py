"""Why an output is wrong: compare it, explain it, and put it into words."""

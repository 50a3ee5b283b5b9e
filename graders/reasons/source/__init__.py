"""What the student's program shows beside its outcome: read as a syntax tree, and never run."""

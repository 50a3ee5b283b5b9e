"""The publish gate: proves that an exercise is sound before a student meets it. Nothing of the judge imports it."""

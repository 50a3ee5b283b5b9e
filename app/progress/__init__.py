"""Room: progress. How far a person has come, told from what the other rooms keep."""

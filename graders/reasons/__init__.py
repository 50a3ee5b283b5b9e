"""Why an output is wrong: compared, explained, and put into words."""

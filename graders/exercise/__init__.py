"""An exercise: its folder read into a definition, its cases, and what is built of them once."""

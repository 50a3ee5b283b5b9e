"""Classes: dated runs of a course, who is in them, what is due when, and what came of it.

A class has its people (`enrolments`, `roster`), its dates (`assignments`, scored by `lateness`), and its gradebook. Who
may do what in it is one table, in `rights`; site roles open nothing here. What a student sent stays where it is, in
`practice` and `quizzes`: a class reads it, and keeps only what is its own.
"""

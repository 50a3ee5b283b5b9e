"""What instructors write, read into values: courses, lessons, questions and the pages of exercises.

Nothing here touches a database or a request, and nothing here runs anybody's code. Read in this order:
`markdown` (text to safe HTML), `question` (an answer, judged), `lesson`, `course`, `exercise`.
"""

"""What instructors write, read into values: courses, lessons, questions and the pages of exercises.

Nothing here touches a database or a request, and nothing here runs anybody's code (`check` asks the judge to).
What is wrong in a file is a `fault`, with its line and its remedy, and never a crash. Read in this order:

    markdown            text to safe HTML: page (the state), parser, renderer, mathml, misread
    course, lesson      a folder; its chapters, in blocks that a page sets in reading order
    question            shown in one of its variants, and judged
    answer, expression  what a student typed, read exactly; credit: what a half-right answer earns
    question_reader, question_faults   a question from its directive, tried out on every variant
    exercise, snapshot  an exercise's words as a page; a folder as bytes
    reading, trial      a folder, read only after a process of its own came through it; entries: what the search finds
"""

"""What instructors write, read into values: courses, lessons, questions and the pages of exercises.

Nothing here touches a database or a request, and nothing here runs anybody's code (`check` asks the judge to).
What is wrong in a file is a `fault`, with its line and its remedy, and never a crash. Read in this order:

    markdown            text to safe HTML: page (the state), parser, renderer, mathml, misread
    course, lesson      a folder; its chapters, in blocks that a page sets in reading order
    questions           a package: each type of question is a file of it
    formats             a package: what other systems hold, read into our folders
    expression          lengths and numbers, read exactly; substitution: `{{name - 1}}` in any text
    exercise, snapshot  an exercise's words as a page; a folder as bytes
    reading, trial      a folder, read only after a process of its own came through it; entries: what the search finds
"""

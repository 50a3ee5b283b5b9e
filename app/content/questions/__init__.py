"""Questions: each a value read from its directive, shown in one of its variants, and judged by its type.

    question        the question as a value, and its variants
    kind            what every type is: the Protocol that a type's file meets
    choice, choices, order, shape, count, number, text, predict, matching, cloze, essay
                    a file a type, with all that is its own
    picks, typed    what types that are picked, and types that are typed, have in common
    numerals, signs, names
                    numbers as people write them; signs such as `½` and `2π`; the names that a question shows
    nearly          what an answer that no author listed has in common with the right one; slips: in a formula;
                    printed: in what a program prints
    table           the types by name: one line a type
    reader, faults  a question from its directive, tried out on every variant
    asking          shown before an answer, read, judged, explained

To add a type is to add a file, and a line in `table`.
"""

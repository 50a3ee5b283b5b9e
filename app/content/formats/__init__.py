"""What other systems hold, read into our folders. A format is a file here; nothing in it runs foreign code.

    kind            what every format is: the Protocol that a format's file meets, and what it yields
    deep_ml, exercism, nbgrader, otter      a file a format, with all that is its own
    tests           tests of other systems, as scripts: what they assert or print becomes what a script compares
    source          Python text: its statements as they were written, and the names that they use
    draft           an exercise in parts, written as the files of its folder
    notebook        cells of a Jupyter notebook, and an exercise from them
    table           the formats by name: one line a format

Foreign code is parsed here and runs only in boxes. To add a format is to add a file, and a line in `table`.
"""

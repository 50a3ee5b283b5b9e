"""What other systems hold, read into our folders, and back. A format is a file here; nothing in it runs foreign code.

    kind            what every format is: the Protocol that a format's file meets, and what it yields
    deep_ml, exercism, nbgrader, otter      a file a format, with all that is its own
    tests           tests of other systems, as scripts: what they assert or print becomes what a script compares
    source          Python text: its statements as they were written, and the names that they use
    draft           an exercise in parts, written as the files of its folder
    moodle_xml, gift, qti, folders          banks of questions; folders of ours in a zip
    qti_1, qti_2, qti_texts                 the two versions of QTI, and what they have in common
    embedded, coderunner, numerical         gaps, exercises and numbers within them
    asked, bank     questions as values of ours, and as the quizzes of a course
    from_html       HTML as our Markdown; to_html: our Markdown as HTML
    elements        XML from strangers as a tree; package: a zip from strangers as files
    moodle_xml_export, gift_export, qti_export      questions in a format, as one file; exports: these by name
    portable        a question as other systems can have it, and what they lose of it
    carried         the course in an export: import of an export changes nothing
    notebook        cells of a Jupyter notebook, and an exercise from them
    table           the formats by name: one line a format

Foreign code is parsed here and runs only in boxes. To add a format is to add a file, and a line in `table`.
"""

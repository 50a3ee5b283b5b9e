"""The judge. Theory of operation: who runs, with which rights, over which pipes.

    server or command line          trusted; holds the exercise, the expected outputs, the database's address
      │  control socket (datagrams: "fork a box", with its descriptors)
      ├── zygote, one a framework   exec'd with an empty environment; imports the framework, runs no operation; lives in
      │     │                       the root that its boxes copy; forks them, waits for them, reports how they ended
      │     └── BOX                 forked; puts its walls up, drops every right, warms up, and parks
      │                               3  channel: one request in, one reply out (inside/wire.py)
      └────────────────────────────── 1  prints, counted and capped
          status socket, one a box: the zygote's; closing it ends the box

How a submission is judged. `Judge.take` pops a parked box (boxes/pool.py, keeper.py). The source goes in. Then, case
by case, inputs go in and an output comes out (boxes/sandbox.py) as a type (boxes/reply.py). It is compared out here
(reasons/compare.py), and an event is yielded (grade.py). The box dies after one submission; its successor warms up
meanwhile. What the exercise gives to everybody's code, files to read and modules to import, goes in with the source
(exercise/materials.py). What the source must use is held against it in the box, before it runs
(inside/source_rules.py).

Expected outputs come from `reference.py`, which runs in a box of its own: once per judging hash (exercise/built.py),
and ahead of a submission for the cases that it alone meets (exercise/fresh.py). It never runs in a worker
(exercise/preparer.py). Why an answer is wrong is worked out here too (reasons/diagnose.py), and so is what an error
means (reasons/plain.py).

What a box never holds: an expected output, the reference, a case before its turn, a secret, a descriptor of ours, or a
readable file other than the interpreter, its libraries and the exercise's own `data/`. So nothing in it is worth
stealing. Nothing it says is believed beyond "this is my answer": replies are capped, parsed without pickle and checked
dtype by dtype, and one reply too many ends the submission.

Three outcomes, kept apart everywhere: the submission ran (a value, an exception: data); the submission broke its box
(a limit, an exit, a crash: data); we broke (BoxLost, BrokenExercise, JudgeUnavailable: exceptions, retried, never
charged to the student). A box can send no signal, so a SIGKILL of unknown origin is our failure. The kernel's own, for
memory, is recognised by the box's control group (boxes/cgroups.py).

    exercise/    a folder read into an exercise (reader.py, definition.py); its cases, and what is built of them once
    boxes/       the boxes from outside: parked, asked, measured, ended
    inside/      what runs in a box, and is readable there
    frameworks/  a file a framework: its name, imports, arrays in and out, its words; read outside and in the box
    reasons/     compared, explained, in words
    proof/       the publish gate: nothing else imports it
    grade.py     one submission as a generator of events; cell.py runs a lesson's cell, worker.py serves a Queue
    parsing.py   Python's own parser, for several threads at once

Nothing here imports the web, HTTP or SQL (tests/test_boundaries.py).
The walls, each with the attack it stops: inside/walls.py. What is and is not promised: docs/sandbox.md.
"""

from graders.parsing import take_turns

take_turns()

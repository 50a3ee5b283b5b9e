"""The trial of one folder's content, in a process of its own: everything that can be read and shown of it, once.

attack: bytes on which a parser crashes, a pattern never ends, a recursion has no floor or memory runs out; in the
server that would be the end of everybody's pages. defence: this process does it first. It has limits on time, memory
and depth, holds no secret and no descriptor but one socket, and tells the server (`reading`) a verdict in plain JSON:
sound, with what the search may find; or a fault, with its file. What is sound here is sound there, for the server
has twice this stack's depth and reads the same bytes with the same code.

    server → here   {"kind": …, "slug": …, "files": [[name, size], …]} and a line end, then the files' bytes
    here → server   {"at": name} before each piece, then {"sound": true, "faults": […], "entries": […], "ends": false}
                    or {"sound": false, "faults": […], "ends": …}: whether this process is of no more use
"""

import json
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, replace
from functools import lru_cache
from types import FrameType
from typing import Any

from app.content.course import course_from_files, find_course_faults
from app.content.entries import Entry, exercise_entry, lesson_entries
from app.content.exercise import page
from app.content.exercise_faults import find_exercise_faults
from app.content.expression import UnreadableAnswer
from app.content.lesson import Lesson
from app.content.markdown import render
from app.content.page import TooSlow
from app.content.questions.asking import answer_text, explanation_of, present
from app.content.questions.faults import MAX_GIVEN
from app.content.questions.question import Question, values_of
from app.content.quiz import quiz_of
from app.content.words import composed, parts, words
from graders.exercise.definition import BrokenExercise
from graders.exercise.fault import Fault, faults_of
from graders.exercise.reader import exercise_from_files
from graders.text import headline

PIECE_SECONDS = 10  # of the processor, for a lesson or an exercise; a long lesson takes a twentieth
SILENT_SECONDS = 60  # of the clock, for the same: the machine has other work to do
MEMORY_BYTES = 1 << 30
STACK_BYTES = 4 << 20
RECURSION = 500
MAX_FAULTS = 200
KEPT = 512  # lessons and questions that were tried
MAX_SAID = 500  # characters of a message: what is quoted in it may be a whole file


def main() -> None:
    _limit_this_process()
    with socket.socket(fileno=sys.stdin.fileno()) as server, server.makefile("rb") as asked:
        while head := asked.readline():
            request = json.loads(head)
            files = {name: asked.read(size) for name, size in request["files"]}
            verdict = try_folder(request["kind"], request["slug"], files, lambda name: _say(server, {"at": name}))
            _say(server, verdict)
            if verdict["ends"]:
                return


def try_folder(kind: str, slug: str, files: Mapping[str, bytes], at: Callable[[str], None]) -> dict[str, Any]:
    """`at` is told each piece before it is begun."""
    place = ""

    def begin(name: str) -> None:
        nonlocal place
        place = name
        at(name)
        _start_clocks()

    try:
        faults: list[Fault] = []
        entries = list(_try_exercise(slug, files, begin, faults) if kind == "exercise" else
                       _try_course(slug, files, begin, faults))  # fmt: skip
    except TooSlow as slow:
        return _unsound(too_slow(place, slow), ends=True)
    except BrokenExercise as broken:
        return _unsound(*faults_of(broken, slug))
    except RecursionError:
        return _unsound(Fault("error", place, None, "unreadable", "It is nested too deeply to be read.", _NEST_LESS))
    except MemoryError:
        return _unsound(out_of_memory(place), ends=True)
    except Exception as error:  # noqa: BLE001 (whatever it is, the folder's author is told, and it is not served)
        message = f"Lectern cannot read it: {type(error).__name__}: {error}."
        hint = "Undo the last change to it, and report this: it is also a fault in Lectern."
        return _unsound(Fault("error", place, None, "unreadable", message, hint))
    finally:
        _stop_clocks()
    short = [astuple(_short(fault)) for fault in faults[:MAX_FAULTS]]
    return {"sound": True, "faults": short, "entries": [astuple(entry) for entry in entries], "ends": False}


def too_slow(place: str, slow: TooSlow) -> Fault:
    message = f"{slow.what or 'Reading it'} takes more than {PIECE_SECONDS} seconds."
    hint = slow.remedy or "split it, or shorten its longest paragraph, listing or formula"
    return Fault("error", place, slow.line, "slow", message, f"{headline(hint)}.")


def out_of_memory(place: str) -> Fault:
    message = f"Reading it takes more than {MEMORY_BYTES >> 30} GB of memory."
    return Fault("error", place, None, "memory", message, "Split it, or make it smaller.")


_NEST_LESS = "Nest brackets, lists and quotations less deeply."


# ---- everything that is ever made of a folder -------------------------------------------------------------------


def _try_exercise(
    slug: str, files: Mapping[str, bytes], begin: Callable[[str], None], faults: list[Fault]
) -> Iterator[Entry]:
    begin("exercise.toml")
    exercise = exercise_from_files(slug, files)
    begin("statement.md")
    faults.extend(_within(slug, fault) for fault in find_exercise_faults(exercise, slug))
    for variant in (exercise, *exercise.others):
        page(variant)
    yield _found(exercise_entry(exercise))


def _try_course(
    slug: str, files: Mapping[str, bytes], begin: Callable[[str], None], faults: list[Fault]
) -> Iterator[Entry]:
    begin("course.toml")
    course = course_from_files(slug, files)
    for lesson in course.lessons:
        begin(lesson.path.removeprefix(f"{slug}/"))
        yield from _try_lesson(course.title, lesson)
    begin("")
    faults.extend(_within(slug, fault) for fault in find_course_faults(course))


@lru_cache(maxsize=KEPT)
def _try_lesson(course_title: str, lesson: Lesson) -> tuple[Entry, ...]:
    """Of a course that was saved most lessons are as they were, and this process has tried them."""
    lesson.render()
    quiz_of(lesson)
    for question in lesson.questions.values():
        _try_question(question.moved(-question.line))
    return tuple(_found(entry) for entry in lesson_entries(course_title, lesson))


def _within(slug: str, fault: Fault) -> Fault:
    return replace(fault, path="" if fault.path == slug else fault.path.removeprefix(f"{slug}/"))


@lru_cache(maxsize=KEPT)
def _try_question(question: Question) -> None:
    """Every set of given values: what they put in is text, and may be anything once it stands in a text."""
    for draw in range(min(question.draws, MAX_GIVEN)):
        present(question, draw)
        try:
            explanation_of(question, draw)
            values = {**values_of(question, draw), "answer": answer_text(question, values_of(question, draw))}
        except UnreadableAnswer:
            continue  # a fault of its own, which the lesson tells
        for remark in question.remarks:
            render(remark.text, links=question.links, given=values)


@lru_cache(maxsize=4 * KEPT)
def _found(entry: Entry) -> Entry:
    """As the index will cut it into words."""
    for field in (entry.title, entry.heading, entry.text, entry.around, entry.names):
        for word in words(composed(field)):
            parts(word.text)
    return entry


# ---- this process -----------------------------------------------------------------------------------------------


def _limit_this_process() -> None:
    # V8 reserves far more addresses than it uses: what counts is what may be written to
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(RECURSION)
    signal.signal(signal.SIGPROF, _time_is_up)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _time_is_up(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def _start_clocks() -> None:
    """Three, each for what the one before cannot end: Python and its patterns; native code; what waits for nothing."""
    signal.setitimer(signal.ITIMER_PROF, PIECE_SECONDS)
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + 2 * PIECE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    signal.setitimer(signal.ITIMER_REAL, SILENT_SECONDS)


def _stop_clocks() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _unsound(*faults: Fault, ends: bool = False) -> dict[str, Any]:
    return {"sound": False, "faults": [astuple(_short(fault)) for fault in faults], "ends": ends}


def _short(fault: Fault) -> Fault:
    return replace(fault, message=_cut(fault.message), hint=_cut(fault.hint))


def _cut(text: str) -> str:
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= MAX_SAID else f"{text[:MAX_SAID]} …"


def _say(server: socket.socket, what: dict[str, Any]) -> None:
    line = json.dumps(what)  # in ASCII: nothing in it can fail to be encoded
    server.sendall(line.encode() + b"\n")


if __name__ == "__main__":
    main()

"""What so many students need, from what a night asks of each part at its peak: no simulation, only sums.

A part is given so much that it is in use for at most FULL of its time at the peak. Waits are short then, which the
simulation shows for the sizes that it can run.
"""

import math
from dataclasses import dataclass, replace

from benchmarks.night import JUDGED, PAGES, Night
from benchmarks.parts import Parts

FULL = 0.7
DRAWN = 2000  # students, of whom the mean is taken
COMMITS = 2  # of a grading that wait for the disk: taken in, and its verdict
TERM_GRADINGS = 300  # of a student, for the size of the database


@dataclass(frozen=True)
class Needs:
    """At the peak. `leader`: the share of its time in which it is busy, 1 being all of it."""

    students: int
    gradings: float  # a second
    pages: float  # a second
    is_one_server: bool  # its interpreter and its cores are enough
    cores: int  # of the one server, or of all workers
    webs: int  # processes; 1 where one server does all of it
    leader: float
    installations: int  # so many that each has a leader that keeps up
    commits: float  # a second, that wait for the disk
    database_gb: float  # after a term


def peak_of(night: Night) -> float:
    """The rate just before the deadline ÷ the mean rate."""
    return 1.0 if night.bunching == 1 else night.bunching * math.log(night.bunching) / (night.bunching - 1)


def needs(night: Night, parts: Parts) -> Needs:
    drawn = replace(night, students=DRAWN).draw()
    steps = [step for student in drawn for step in student.steps]
    per_second = night.students / DRAWN / (night.minutes * 60) * peak_of(night)
    pages = sum(step.kind in PAGES for step in steps) * per_second
    gradings = sum(step.kind in JUDGED for step in steps) * per_second
    costs = [parts.grading(step.framework, step.kind) for step in steps if step.kind in JUDGED]
    taking_in = sum(cost.intake_ms + cost.store_ms + cost.answer_ms for cost in costs) * per_second / 1000
    inside = sum(cost.worker_ms + cost.beside_ms + cost.fresh_ms for cost in costs) * per_second / 1000
    boxes = sum(cost.calls_ms + cost.behind_ms for cost in costs) * per_second / 1000
    reading = pages * parts.page_ms / 1000
    reading += sum(step.kind == "answer" for step in steps) * per_second * parts.answer_ms / 1000
    cells = [parts.grading(step.framework, "run") for step in steps if step.kind == "cell"]
    reading += sum(cost.intake_ms + cost.calls_ms for cost in cells) * per_second / 1000
    recording = sum(cost.record_ms for cost in costs) * per_second / 1000
    server = taking_in + inside + reading + recording
    is_one_server = server * parts.held <= FULL
    leader = gradings * parts.hand_out_ms / 1000
    return Needs(
        night.students,
        gradings,
        pages,
        is_one_server,
        cores_for(server + boxes if is_one_server else inside + boxes),
        1 if is_one_server else cores_for((taking_in + reading + recording) * parts.held),
        0.0 if is_one_server else leader,
        1 if is_one_server else cores_for(leader),
        gradings * COMMITS + sum(step.kind == "answer" for step in steps) * per_second,
        night.students * TERM_GRADINGS * parts.submission_kb / 1e6,
    )


def cores_for(used: float) -> int:
    return max(1, math.ceil(used / FULL))


def table(night: Night, parts: Parts, students: list[int]) -> str:
    lines = [
        f"The last {night.minutes:g} minutes before a deadline; no part in use for more than {FULL:.0%} of its time. "
        f"Costs measured {parts.measured_at} on {parts.machine}.",
        "",
        "| students | gradings a second | pages a second | cores that judge | web processes | installations | "
        f"commits a second | database after {TERM_GRADINGS} gradings each |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for count in students:
        one = needs(replace(night, students=count), parts)
        webs = "in the same server" if one.is_one_server else f"{one.webs:,}"
        cells = [f"{one.students:,}", f"{one.gradings:,.1f}", f"{one.pages:,.1f}", f"{one.cores:,}", webs]
        cells.append(f"{one.installations:,}")
        lines.append(f"| {' | '.join([*cells, f'{one.commits:,.0f}', f'{one.database_gb:,.1f} GB'])} |")
    return "\n".join(lines)

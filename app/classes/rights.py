"""Who may do what in a class: one predicate, asked with a role in the class and what its holder wants to do.

What no row allows is refused. `docs/classes.md` shows this table; `python -m app.classes.rights` prints it.

attack: somebody is made an instructor of one class, and from there changes what counts in others, opens classes of
their own, or has this server trust a platform of theirs. defence: what reaches beyond the class (`REACHES_OUT`) is for
those of its instructors who may create classes, as the site's staff may.
"""

from collections.abc import Mapping
from enum import StrEnum


class ClassRole(StrEnum):
    student = "student"
    assistant = "assistant"
    instructor = "instructor"


_ALL = frozenset(ClassRole)
_STAFF = frozenset({ClassRole.assistant, ClassRole.instructor})
_TEACHERS = frozenset({ClassRole.instructor})
_STUDENTS = frozenset({ClassRole.student})


class Right(StrEnum):
    see_class = "see the class, its assignments and their dates"
    see_own_grades = "see one's own grades"
    see_people = "see who is in the class"
    see_hidden_assignments = "see assignments before they are shown"
    see_gradebook = "see everybody's grades"
    read_work = "read students' submissions and quiz attempts"
    comment = "comment on lines of a submission"
    grade_by_hand = "grade answers and submissions by hand"
    see_evidence = "see what the class understands, and who is stuck"
    change_people = "add, change and remove people"
    change_schedule = "set dates, weights and late policies"
    give_extensions = "give a person another date or more attempts"
    change_scores = "replace a score, with a reason"
    freeze = "freeze a copy of the gradebook"
    regrade = "judge submissions again, apply it, and undo it"
    see_similarity = "see which submissions are alike"
    view_as_student = "see the class as one of its students does"
    change_class = "rename and archive the class, and say how people join"
    copy_class = "copy the class for another term"
    connect = "connect the class to other systems"
    register_platform = "register a learning management system"
    move_people = "enrol people who have an account, and make staff students"


RULES: Mapping[Right, frozenset[ClassRole]] = {
    Right.see_class: _ALL,
    Right.see_own_grades: _STUDENTS,
    Right.see_people: _STAFF,
    Right.see_hidden_assignments: _STAFF,
    Right.see_gradebook: _STAFF,
    Right.read_work: _STAFF,
    Right.comment: _STAFF,
    Right.grade_by_hand: _STAFF,
    Right.see_evidence: _STAFF,
    Right.change_people: _TEACHERS,
    Right.change_schedule: _TEACHERS,
    Right.give_extensions: _TEACHERS,
    Right.change_scores: _TEACHERS,
    Right.freeze: _TEACHERS,
    Right.regrade: _TEACHERS,
    Right.see_similarity: _TEACHERS,
    Right.view_as_student: _TEACHERS,
    Right.change_class: _TEACHERS,
    Right.copy_class: _TEACHERS,
    Right.connect: _TEACHERS,
    Right.register_platform: _TEACHERS,
    Right.move_people: _TEACHERS,
}
# For those of the class's instructors who may create classes.
REACHES_OUT = frozenset({Right.regrade, Right.copy_class, Right.register_platform, Right.move_people})


def may_in_class(role: ClassRole | str, right: Right) -> bool:
    return role in RULES[right]


def as_markdown() -> str:
    """The table of `docs/classes.md`."""
    head = "| In a class, who may | " + " | ".join(role.value for role in ClassRole) + " |"
    lines = [head, "|---|" + ":-:|" * len(ClassRole)]
    for right, roles in RULES.items():
        yes = "yes\\*" if right in REACHES_OUT else "yes"
        lines.append(f"| {right.value} | " + " | ".join(yes if role in roles else "–" for role in ClassRole) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(as_markdown())  # noqa: T201

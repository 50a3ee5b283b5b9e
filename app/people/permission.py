"""Who may see or change what: one predicate, asked with a person, what they want to do, and whose the thing is.

What no rule allows is refused. Each table's own door (`load_submission`, `require_sitting`, `access_of`) asks here, and
no route has another condition. The staff of a class read its students' work by `readers.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.people.users import Role, User

STAFF = frozenset({Role.instructor, Role.admin})
ACCOUNTS = STAFF | {Role.student}


class Wish(StrEnum):
    read_submission = "read a submission"
    see_how_it_was_judged = "see the seed of its fresh cases, and where its time went"
    answer_sitting = "read and answer a sitting that is open"
    read_submitted_sitting = "read a sitting that was submitted"
    keep_note = "read, change and delete a note on a lesson"
    read_answers_unsolved = "read solutions without having solved the exercise"
    stop_sharing = "stop sharing a solution"
    see_whether_shared = "see whether a solution is shared"
    grade_answers = "grade what students wrote in a quiz"
    run_the_site = "see the site's own figures"
    manage_people = "see who has an account, and change their role"
    operate = "see how the installation is doing, and what was done to it"
    see_what_is_held = "see which folders are not published, and why"
    write_posts = "ask and answer in discussions"
    change_post = "edit and delete a post"
    read_hidden_post = "read a post that is hidden"
    read_spoilers = "read the code in a post without having solved the exercise"
    choose_answer = "say which reply answers a question in a discussion"
    moderate = "hide posts, close discussions, and resolve reports"
    author_content = "write, prove and publish exercises and courses"
    teach_class = "create classes"
    choose_variant = "look at, and be judged by, any variant of an exercise"


@dataclass(frozen=True)
class Rule:
    """Whether the owner of the thing may, and which roles may with anybody's."""

    owner: bool
    roles: frozenset[Role] = frozenset()


RULES: Mapping[Wish, Rule] = {
    Wish.read_submission: Rule(owner=True, roles=STAFF),
    Wish.see_how_it_was_judged: Rule(owner=False, roles=STAFF),
    Wish.answer_sitting: Rule(owner=True),
    Wish.read_submitted_sitting: Rule(owner=True, roles=STAFF),
    Wish.keep_note: Rule(owner=True),
    Wish.read_answers_unsolved: Rule(owner=False, roles=STAFF),
    Wish.stop_sharing: Rule(owner=True, roles=STAFF),
    Wish.see_whether_shared: Rule(owner=True, roles=STAFF),
    Wish.grade_answers: Rule(owner=False, roles=STAFF),
    Wish.run_the_site: Rule(owner=False, roles=STAFF),
    Wish.manage_people: Rule(owner=False, roles=frozenset({Role.admin})),
    Wish.operate: Rule(owner=False, roles=frozenset({Role.admin})),
    Wish.see_what_is_held: Rule(owner=False, roles=STAFF),
    Wish.write_posts: Rule(owner=False, roles=ACCOUNTS),
    Wish.change_post: Rule(owner=True),
    Wish.read_hidden_post: Rule(owner=True, roles=STAFF),
    Wish.read_spoilers: Rule(owner=True, roles=STAFF),
    Wish.choose_answer: Rule(owner=True, roles=STAFF),
    Wish.moderate: Rule(owner=False, roles=STAFF),
    Wish.author_content: Rule(owner=False, roles=STAFF),  # of what: app/teaching/authors.py
    Wish.choose_variant: Rule(owner=False, roles=STAFF),
    Wish.teach_class: Rule(owner=False, roles=STAFF),  # what may be done in one: app/classes/rights.py
}


def may(person: User | None, wish: Wish, owner_id: int | None = None) -> bool:
    """Whether this person may do it with a thing of `owner_id`'s; None: of nobody's. Nobody (None) may do nothing."""
    if person is None:
        return False
    rule = RULES[wish]
    return person.role in rule.roles or (rule.owner and owner_id is not None and person.id == owner_id)

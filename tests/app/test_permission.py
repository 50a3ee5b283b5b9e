"""Who may do what, cell by cell; and that nobody asks a person's role in another place."""

import ast
from pathlib import Path

import pytest

from app.people.permission import RULES, Wish, may
from app.people.users import Role, User

ROOT = Path(__file__).resolve().parents[2]
# By wish: the roles that may with their own thing, then those that may with another person's.
EVERYBODY = {"guest", "student", "instructor", "admin"}
STAFF = {"instructor", "admin"}
ACCOUNTS = {"student", "instructor", "admin"}
TABLE: dict[str, tuple[set[str], set[str]]] = {
    "read_submission": (EVERYBODY, STAFF),
    "see_how_it_was_judged": (STAFF, STAFF),
    "answer_sitting": (EVERYBODY, set()),
    "read_submitted_sitting": (EVERYBODY, STAFF),
    "keep_note": (EVERYBODY, set()),
    "read_answers_unsolved": (STAFF, STAFF),
    "stop_sharing": (EVERYBODY, STAFF),
    "see_whether_shared": (EVERYBODY, STAFF),
    "grade_answers": (STAFF, STAFF),
    "run_the_site": (STAFF, STAFF),
    "manage_people": ({"admin"}, {"admin"}),
    "operate": ({"admin"}, {"admin"}),
    "see_what_is_held": (STAFF, STAFF),
    "write_posts": (ACCOUNTS, ACCOUNTS),
    "change_post": (EVERYBODY, set()),
    "read_hidden_post": (EVERYBODY, STAFF),
    "read_spoilers": (EVERYBODY, STAFF),
    "choose_answer": (EVERYBODY, STAFF),
    "moderate": (STAFF, STAFF),
    "author_content": (STAFF, STAFF),
    "teach_class": (STAFF, STAFF),
    "choose_variant": (STAFF, STAFF),
}


def test_every_wish_has_a_rule_and_a_row_here() -> None:
    assert set(RULES) == set(Wish)
    assert {wish.name for wish in Wish} == TABLE.keys()


@pytest.mark.parametrize("role", sorted(Role))
@pytest.mark.parametrize("wish", list(Wish), ids=lambda wish: wish.name)
def test_each_cell_of_the_table(wish: Wish, role: Role) -> None:
    person = User(id=7, role=role)
    own, others = TABLE[wish.name]
    assert may(person, wish, 7) == (role in own)
    assert may(person, wish, 8) == (role in others)
    assert may(person, wish) == (role in others), "what is nobody's is nobody's own"
    assert not may(None, wish, 7)


def test_no_route_and_no_verb_asks_for_a_role_itself() -> None:
    """But for the accounts: the last instructor cannot leave."""
    asked = []
    for path in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr == "is_staff":
                asked.append(str(path.relative_to(ROOT)))
    assert set(asked) <= {"app/people/sessions.py", "app/practice/solutions.py"}

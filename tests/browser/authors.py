"""An author who signs in, and drafts whose checks are cheap, for the tests of the author's room.

Opening a desk has the newest revision checked: of what ships that takes minutes, in three frameworks.
"""

from collections.abc import Mapping

from playwright.sync_api import Page

from app.people import accounts
from app.people.users import user_by_email
from app.teaching.revisions import begin, content_of
from app.teaching.subjects import Subject
from tests.browser.conftest import Open
from tests.conftest import Running

PASSWORD = "a wide enough password"


def author(site: Running, visit: Open, name: str, path: str, **how: int) -> Page:
    email = f"{name}@desk.example"
    with site.state.db.reading() as db:
        is_known = user_by_email(db, email) is not None
    if not is_known:
        accounts.add_user(site.state.db, email, "instructor", PASSWORD)
    page = visit(f"/sessions/new?back={path}", **how)
    page.fill("input[name=email]", email)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: url.endswith(path))
    return page


def draft(site: Running, subject: Subject, files: Mapping[str, bytes]) -> str:
    """The desk of a draft with these files, which is begun where it is not there yet."""
    with site.state.db.writing() as db:
        if content_of(db, subject) is None:
            begin(db, None, subject, files, "Begun")
    return subject.desk_url

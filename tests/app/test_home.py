"""The home page: courses in the order in which they are taken, with what is in them, and a few of the exercises."""

import re
from pathlib import Path

from app.settings import Settings
from tests.conftest import CATALOG, running

LESSON = "---\ntitle: One\n---\nRead.\n\n::::{question} one\n:type: shape\n:answer: (A,)\nThe shape of A?\n::::\n"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5" width="8" height="5"/>'


def course(folder: Path, slug: str, cover: str) -> None:
    (folder / slug / "figures").mkdir(parents=True)
    (folder / slug / "course.toml").write_text(f'title = "Course {slug}"\nblurb = "Of the tests."\n{cover}')
    (folder / slug / "figures" / "cover.svg").write_text(PICTURE)
    (folder / slug / "01-one.md").write_text(LESSON)


def test_courses_stand_after_those_that_they_need_each_with_its_picture_and_what_is_in_it(tmp_path: Path) -> None:
    lessons = tmp_path / "lessons"
    course(lessons, "a", 'prerequisites = ["course:b", "Patience"]\n')
    course(lessons, "b", 'picture = "figures/cover.svg"\npicture_alt = "A <box>"\n')
    settings = Settings(workers=0, data=tmp_path / "data", lessons=(lessons,), exercises=(CATALOG / "exercises",))
    with running(settings) as server, server.client() as client:
        page = client.get("/").text
        assert page.index("Course b</a></h3>") < page.index("Course a</a></h3>")
        assert '<img class="cover" src="/courses/b/figures/cover.svg" alt="A &lt;box&gt;" width="8" height="5"' in page
        assert len(re.findall("1 lesson, 2 minutes, 1 question", page)) == 2
        assert 'Prerequisite: <a href="/courses/b">Course b</a>.' in page
        assert 'href="/courses/b/one"' in page, "a beginner starts with what comes first"
        assert client.get("/courses/b/figures/cover.svg").headers["content-type"].startswith("image/svg+xml")
        shown = client.get("/courses/a").text
        assert 'Prerequisites: <a href="/courses/b">Course b</a>; Patience.' in shown
        assert "1 question" in shown

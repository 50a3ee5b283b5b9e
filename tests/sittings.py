"""A course of quizzes, and a sitting in one of them: begun, saved answer by answer, submitted."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from app.db import now
from app.quizzes.sittings import Sitting
from tests.conftest import Running

QUESTIONS = """
What is told before.

## The table

A table of `max_len` rows.

::::{question} shape
:type: shape
:answer: (N, T)
:mistake: (T, N) -> The other way round.
What shape have N times T?
:::{explain}
It is secret-explanation.
:::
::::

::::{question} count
:type: count
:given: n = 11 | 12 | 13 | 14 | 15 | 16; m = 101 | 102
:answer: n * m
How many in {{n}} times {{m}}?
::::

## Words

::::{question} pick
:type: choice
Which one?
- [x] this-is-right -- Yes: secret-feedback.
- [ ] this-is-wrong -- No.
::::
"""
PARTIAL = """
::::{question} several
:type: choices
Which two?
- [x] right-one
- [x] right-two
- [ ] wrong-one
- [ ] wrong-two
:::{explain}
The first two.
:::
::::

::::{question} lines
:type: order
In which order?
1. first
2. second
3. third
:::{explain}
As they come.
:::
::::
"""
CODE = """
## Read

:::{code-cell} python
:name: hidden
secret = 41
:::

:::{code-cell} python
:name: next
:continues:
print(secret + 1)
:::
"""
TIMED, FREE, LAST = "/api/v1/quizzes/demo/timed", "/api/v1/quizzes/demo/free", "/api/v1/quizzes/demo/last"


def write_course(folder: Path, *, questions: str = QUESTIONS) -> Path:
    course = folder / "demo"
    course.mkdir(parents=True, exist_ok=True)
    (course / "course.toml").write_text('title = "Demo"\nblurb = "Of the tests."\n')
    for name, head in {
        "01-timed": "time_limit: 20\nattempts: 3",
        "02-free": "minutes: 3",
        "03-last": "attempts: 2\ncounts: last",
    }.items():
        (course / f"{name}.md").write_text(f"---\ntitle: Quiz {name[3:]}\nkind: quiz\n{head}\n---\n{questions}")
    (course / "05-code.md").write_text(f"---\ntitle: Code\nkind: quiz\nattempts: 1\n---\n{CODE}{QUESTIONS}")
    (course / "04-partial.md").write_text(f"---\ntitle: Partial\nkind: quiz\n---\n{PARTIAL}")
    return folder


def begin(client: httpx.Client, quiz: str = TIMED) -> dict[str, Any]:
    answer = client.post(f"{quiz}/sittings")
    assert answer.status_code == 201, answer.text
    sitting: dict[str, Any] = answer.json()
    return sitting


def save(client: httpx.Client, sitting: dict[str, Any], slug: str, answer: Any, revision: int = 0, **more: Any) -> Any:
    body = {"answer": answer, "revision": revision, **more}
    return client.put(f"/api/v1/sittings/{sitting['id']}/answers/{slug}", json=body)


def submit(client: httpx.Client, sitting: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"/api/v1/sittings/{sitting['id']}/submission")
    assert answer.status_code == 200, answer.text
    done: dict[str, Any] = answer.json()
    return done


def put_off(server: Running, sitting: dict[str, Any], **by: float) -> None:
    with server.state.db.writing() as db:
        db.get_one(Sitting, sitting["id"]).deadline_at = now() + timedelta(**by)

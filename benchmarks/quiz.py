"""What an answer to a question costs, and a class that answers all at once; README.md says how to read it.

    .venv/bin/python -P benchmarks/quiz.py [--answers N] [--students N]

A server of its own as in bench.py. One student answers a question in a lesson and saves answers in a sitting, one
after the other; beside each, in the same run, a page of nothing (`/healthz`) is asked for. Then a class begins a
sitting, saves an answer and hands it in, all of them at once; whatever was acknowledged and is not there afterwards is
lost, and there must be none.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.bench import serving  # noqa: E402

COURSE = "positions"
QUIZ = "test-your-understanding"
LESSON = "learned-embeddings"
TARGET_MS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--students", type=int, default=500)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), ROOT / "exercises") as server:
        one_after_the_other(server.url, asked.answers)
        asyncio.run(all_at_once(server.url, asked.students))


def one_after_the_other(url: str, answers: int) -> None:
    with httpx.Client(base_url=url, timeout=60) as client:
        client.headers["Authorization"] = f"Bearer {client.post('/api/v1/sessions', json={}).json()['token']}"
        question = next(
            one for one in client.get(f"/api/v1/lessons/{COURSE}/{LESSON}/questions").json() if one["type"] == "count"
        )
        sitting = client.post(f"/api/v1/quizzes/{COURSE}/{QUIZ}/sittings").raise_for_status().json()
        first = sitting["questions"][0]
        revision = 0

        def answer() -> httpx.Response:
            given = {"variant": question["variant"], "answer": "512 * 768"}
            return client.post(f"/api/v1/questions/{question['id']}/answers", json=given)

        def read() -> httpx.Response:
            given = {"variant": question["variant"], "answer": "512 * 768"}
            return client.post(f"/api/v1/questions/{question['id']}/readings", json=given)

        def save() -> httpx.Response:
            nonlocal revision
            slug = first["id"].rpartition(".")[2]
            given = {"answer": f"({revision}, d_model)", "revision": revision}
            revision += 1
            return client.put(f"/api/v1/sittings/{sitting['id']}/answers/{slug}", json=given)

        def nothing() -> httpx.Response:
            return client.get("/healthz")

        tasks: dict[str, Callable[[], httpx.Response]] = {
            "answer in a lesson": answer,
            "save in an attempt": save,
            "reading, live": read,
            "nothing (healthz)": nothing,
        }
        took: dict[str, list[float]] = {name: [] for name in tasks}
        for _ in range(answers):
            for name, task in tasks.items():
                began = time.perf_counter()
                task().raise_for_status()
                took[name].append((time.perf_counter() - began) * 1000)
    floor = statistics.median(took["nothing (healthz)"])
    say(f"{answers} of each, in turn, over HTTP, commit included (target for an answer: {TARGET_MS} ms, p50)")
    for name, each in took.items():
        p50, p95 = statistics.median(each), sorted(each)[int(0.95 * len(each))]
        say(f"  {name:<20} p50 {p50:5.1f} ms · p95 {p95:5.1f} · minus the floor {p50 - floor:4.1f}")


async def all_at_once(url: str, students: int) -> None:
    # the server lets go of what is idle for 5 seconds, and so must we, or one of us writes to a closed connection
    limits = httpx.Limits(max_connections=students, max_keepalive_connections=students, keepalive_expiry=2)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        tokens = []
        for _ in range(students):
            tokens.append((await client.post("/api/v1/sessions", json={})).raise_for_status().json()["token"])
        headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
        question = next(
            one
            for one in (await client.get(f"/api/v1/lessons/{COURSE}/{LESSON}/questions")).json()
            if one["type"] == "count"
        )

        async def answer(n: int) -> Any:
            given = {"variant": question["variant"], "answer": "512 * 768"}
            return await client.post(f"/api/v1/questions/{question['id']}/answers", json=given, headers=headers[n])

        async def begin(n: int) -> Any:
            return await client.post(f"/api/v1/quizzes/{COURSE}/{QUIZ}/sittings", headers=headers[n])

        async def save(n: int) -> Any:
            slug = sittings[n]["questions"][0]["id"].rpartition(".")[2]
            given = {"answer": f"({n}, d_model)", "revision": 0}
            address = f"/api/v1/sittings/{sittings[n]['id']}/answers/{slug}"
            return await client.put(address, json=given, headers=headers[n])

        async def hand_in(n: int) -> Any:
            return await client.post(f"/api/v1/sittings/{sittings[n]['id']}/submission", headers=headers[n])

        say(f"{students} students at once, each step taken by all of them at once:")
        await everybody("answer in a lesson", answer, students)
        sittings = await everybody("start an attempt", begin, students)
        await everybody("save an answer in it", save, students)
        await everybody("submit it", hand_in, students)
        lost = 0
        for n in range(students):
            done = (await client.get(f"/api/v1/sittings/{sittings[n]['id']}", headers=headers[n])).json()
            lost += done["state"] != "submitted" or done["questions"][0]["answer"] != f"({n}, d_model)"
        say(f"  lost: {lost} of {students} attempts")


async def everybody(name: str, task: Callable[[int], Any], students: int) -> list[Any]:
    took: list[float] = []

    async def timed(n: int) -> Any:
        began = time.perf_counter()
        response = await task(n)
        took.append(time.perf_counter() - began)
        return response.raise_for_status().json()

    began = time.perf_counter()
    given = await asyncio.gather(*(timed(n) for n in range(students)))
    spent = time.perf_counter() - began
    p50, last = statistics.median(took), max(took)
    say(f"  {name:<21} {students / spent:5.0f} per second · p50 {p50:4.1f} s, the last {last:4.1f} s · none refused")
    return given


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

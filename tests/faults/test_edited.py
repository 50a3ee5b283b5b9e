"""An exercise is edited while a submission to it is judged: the verdict names what it used."""

from pathlib import Path

from app.settings import Settings
from graders.exercise.folder import hash_files
from tests.conftest import require_boxes, running
from tests.faults.conftest import Backend, finished, until_begun
from tests.server_process import DOUBLED, one_exercise

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
TRIES = 10
SLOW = "import time\ndef doubled(x):\n    time.sleep(1)\n    return 2 * x\n"


def test_a_verdict_names_the_revision_that_it_used(tmp_path: Path, backend: Backend) -> None:
    folder = one_exercise(tmp_path) / DOUBLED
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    after = before | {"reference.py": b"def doubled(x):\n    return 3 * x\n", "statement.md": b"Triple it."}
    settings = Settings(
        workers=1, data=tmp_path / "data", exercises=(folder.parent,), lessons=(tmp_path / "lessons",),
        database_url=backend.settings.get("DATABASE_URL", ""), queue=backend.settings.get("LECTERN_QUEUE", "local"),
    )  # fmt: skip
    with running(settings) as server, server.guest() as student:
        assert server.state.judge is not None
        require_boxes(server.state.judge)

        def publish(files: dict[str, bytes]) -> None:
            server.state.catalog.publish("exercise", DOUBLED, files, "browser", is_proved=True)

        for number in range(TRIES):
            sent = student.post(PATH, json={"source": f"# {number}\n{SLOW}"}).json()
            waits = student.post(PATH, json={"source": f"# {number} waits\n{SLOW}"}).json()
            until_begun(student, sent["id"])
            publish(after)
            if student.get(f"/api/v1/submissions/{sent['id']}").json()["state"] == "running":
                break
            publish(before)  # it was quicker
        else:
            raise AssertionError("each was judged before the exercise was replaced")
        later = student.post(PATH, json={"source": f"# and this one is late\n{SLOW}"}).json()
        for one in (sent, waits):
            shown = finished(student, one["id"])
            assert (shown["verdict"], shown["exercise_hash"]) == ("accepted", hash_files(before))
        shown = finished(student, later["id"])
        assert (shown["verdict"], shown["exercise_hash"]) == ("wrong_answer", hash_files(after))

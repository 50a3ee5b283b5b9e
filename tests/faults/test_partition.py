"""A worker that the broker cannot reach, though both live: another takes over, and what the first says is late."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.db import Database
from app.people.users import add_guest
from app.practice.gradings import Grading
from app.practice.outcomes import WrongOutcome
from app.practice.submissions import read_order, submit
from app.reading.catalog import Catalog
from benchmarks.services import StallingProxy
from graders.verdict import State, Verdict
from tests.broker import Server
from tests.faults.brokering import until_let_go, web, worker
from tests.server_process import one_exercise
from tests.waiting import until

WRONG = "def doubled(x):\n    return 3 * x\n"
SLOW = "import time\ndef doubled(x):\n    time.sleep(3)\n    return 3 * x\n"


@pytest.fixture
def proxy(broker: Server) -> Iterator[StallingProxy]:
    proxy = StallingProxy(broker.port)
    yield proxy
    proxy.close()


@pytest.mark.usefixtures("walls")
def test_a_worker_out_of_reach_is_overtaken_and_comes_back(
    migrated_postgres_copy: str, broker: Server, proxy: StallingProxy, tmp_path: Path
) -> None:
    exercises = one_exercise(tmp_path)
    installation = f"partition-{tmp_path.name[-8:]}-{proxy.port}"
    queue, through = broker.url(installation), broker.url(installation, port=proxy.port)
    db = Database(migrated_postgres_copy)
    catalog = Catalog(db)
    catalog.import_folders([exercises], [])

    def send(source: str) -> int:
        with db.writing() as session:
            user = add_guest(session)
            order = read_order(catalog.exercises["doubled"], source)
            snapshot_id = catalog.snapshot_ids["doubled"]
            return submit(session, user, order, snapshot_id, None, neighbourhood=f"n{user.id}")[1].id

    def row_once(state: State, id: int) -> Grading:
        def read() -> Grading | None:
            with db.reading() as session:
                row = session.get_one(Grading, id)
            assert row.state in (state, State.queued, State.running), "it was quicker than the partition"
            return row if row.state == state else None

        row = until(read, f"grading {id} is not {state}")
        assert row is not None
        return row

    with ExitStack() as stack:
        stack.enter_context(web(queue, migrated_postgres_copy, lease_seconds=4.0))
        stack.enter_context(worker(through, tmp_path / "far", beat_seconds=0.3))
        sent = send(SLOW)
        first = row_once(State.running, sent)
        proxy.stall()
        stack.enter_context(worker(queue, tmp_path / "near", beat_seconds=0.3))
        row = row_once(State.finished, sent)
        assert row.verdict == Verdict.wrong_answer
        assert row.attempt > first.attempt, "overtaken: once, or twice where beats came late"
        assert first.owner is not None
        until_let_go(queue, first.owner, sent, proxy.pass_on)
        again = [row_once(State.finished, id) for id in [send(WRONG) for _ in range(4)]]
        assert {other.verdict for other in again} == {Verdict.wrong_answer}
        late = row_once(State.finished, sent)
        assert (late.attempt, late.finished_at, late.verdict) == (row.attempt, row.finished_at, row.verdict)
        with db.reading() as session:
            assert session.scalar(select(func.count()).select_from(WrongOutcome)) == 5
    db.close()

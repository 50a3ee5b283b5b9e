"""The broker: what it keeps, whom it lets say what, and what is left when it forgets."""

import asyncio
import contextlib
import gc
import json
import os
import queue
import re
import socket
import socketserver
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.queue.credentials import users
from app.queue.messages import (
    LARGEST,
    MOST_SLOTS,
    Assignment,
    Beat,
    Capabilities,
    Garbled,
    Reply,
    Want,
    finished_from_row,
    finished_row,
    pack,
    read_reply_id,
    unpack,
)
from app.queue.nats import RECORDERS, Broker, BrokerAway, Message, NobodyListens, NothingKept
from app.settings import BrokerAddress
from graders.grade import Finished, Stages, Usage
from graders.verdict import CaseResult, Mismatch, StudentError, SubmissionResult, Verdict
from tests.app.listening import until_listening
from tests.broker import Server, running_broker
from tests.waiting import LIMIT_SECONDS, until

Open = Callable[..., Broker]
UNANSWERED_SECONDS = 0.5  # in which a question is not answered that nobody may ask, or nobody takes any more


@pytest.fixture
def connect(broker: Server) -> Iterator[Open]:
    """Connections to an installation of the test's own."""
    installation, opened = f"test-{uuid.uuid4().hex[:8]}", []

    def connect() -> Broker:
        opened.append(Broker(broker.url(installation), "test"))
        assert opened[-1].open(LIMIT_SECONDS)
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


def taken(arrived: "queue.SimpleQueue[Message]") -> Message:
    return arrived.get(timeout=LIMIT_SECONDS)


# ---- addresses and messages ----


def test_an_address_names_the_installation_and_hides_its_password() -> None:
    address = BrokerAddress.read("nats://gpu:p%40ss@one:4222,two:4333/spring")
    assert address == BrokerAddress(("nats://one:4222", "nats://two:4333"), "gpu", "p@ss", "spring")
    assert "p@ss" not in repr(address)
    assert BrokerAddress.read("tls://host").installation == "lectern"


@pytest.mark.parametrize("url", ["redis://host", "nats://", "host:4222", "nats://host/a.b", "nats://host/a/b"])
def test_an_address_that_is_none_is_refused_with_what_it_should_be(url: str) -> None:
    with pytest.raises(ValueError, match=r"nats://|installation"):
        BrokerAddress.read(url)


def test_a_verdict_comes_back_from_json_as_it_was() -> None:
    cases = (
        CaseResult("one", True, Verdict.wrong_answer, 1.5, mismatch=Mismatch("shape", "…", "(2,)", "(3,)", (1,))),
        CaseResult("hidden 1", False, Verdict.runtime_error, error=StudentError("ValueError", "x", 3)),
    )
    result = SubmissionResult(Verdict.runtime_error, 0.25, "1 of 2", "why", "a-mistake", cases)
    finished = Finished(result, "reason", Stages(1, 2, 3, [4, 5], 6, 7), None, Usage(8.5, None), 9, "print")
    assert finished_from_row(unpack(pack(finished_row(finished)))) == finished


def test_what_is_long_is_packed_and_what_is_garbled_says_so() -> None:
    assignment = Assignment(1, 2, 3, "softmax-rows", "0" * 64, b"x" * 50_000, "numpy", "run", {"x": "[1]"}, None, "r")
    assert len(assignment.encoded()) < 5_000
    assert Assignment.decoded(assignment.encoded()) == assignment
    bomb = pack({"x": "0" * LARGEST})
    for data in (b"", b"[]", b"z123", b'{"a":1}', b"\xff", b"[" * 100_000, bomb):
        for read in (Assignment.decoded, Reply.decoded, Want.decoded, Beat.decoded):
            with pytest.raises(Garbled):
                read(data)


@pytest.mark.parametrize(
    ("read", "largest"), [(Reply.decoded, 4 << 20), (Want.decoded, 64 << 10), (Beat.decoded, 64 << 10)]
)
def test_what_unpacks_to_more_than_any_of_ours_is_garbled(read: Callable[[bytes], object], largest: int) -> None:
    """attack: a few kilobytes that are a million objects once they are read."""
    bomb = pack({"x": [{}] * (largest // 3)})
    assert len(bomb) < largest // 20
    for data in (bomb, json.dumps({"x": [{}] * (largest // 3)}).encode()):
        with pytest.raises(Garbled, match="too large"):
            read(data)


def test_a_beat_holds_no_more_than_a_statement_takes_and_claims_no_more_threads_than_a_machine_has() -> None:
    assert Beat.decoded(Beat(((1, 1),), slots=2**31 - 1).encoded()).slots == MOST_SLOTS
    with pytest.raises(Garbled):
        Beat.decoded(Beat(tuple((number, 1) for number in range(2000))).encoded())


def test_a_reply_that_cannot_be_read_is_still_known_by_its_id() -> None:
    reply = Reply("verdict", 12, 3, 4, "ab12cd34")
    assert read_reply_id(reply.id) == read_reply_id(f"{reply.id}-2") == (12, 3, "ab12cd34")
    for id in ("", "verdict", "verdict-x-1-r", f"verdict-{10**12}-1-r"):
        with pytest.raises(Garbled):
            read_reply_id(id)


@pytest.mark.parametrize("number", ["Infinity", "NaN", "-1", str(10**12), "1.5", '"1"', "true1"])
def test_a_number_that_no_row_can_have_is_garbled(number: str) -> None:
    """attack: a number that the database refuses, again and again, until nothing else is recorded."""
    reply = Reply("failure", 1, 1, 1, "r", reason="x").encoded()
    beat = Beat(((1, 1),)).encoded()
    want = Want(0.5).encoded()
    assert Reply.decoded(reply).grading_id == 1
    for name in (b"grading_id", b"attempt", b"submission_id"):
        with pytest.raises(Garbled):
            Reply.decoded(reply.replace(b'"%s":1' % name, b'"%s":%s' % (name, number.encode())))
    with pytest.raises(Garbled):
        Beat.decoded(beat.replace(b"[[1,1]]", b"[[%s,1]]" % number.encode()))
    if number not in ("1.5", '"1"'):
        with pytest.raises(Garbled):
            Want.decoded(want.replace(b"0.5", number.encode()))


def test_a_worker_takes_what_it_can_judge() -> None:
    assert Capabilities().can("torch", 4096)
    assert Capabilities(("numpy", "torch"), 512).can("torch", 512)
    assert not Capabilities(("numpy",)).can("torch", 0)
    assert not Capabilities(memory_mb=512).can("numpy", 513)


# ---- what is kept ----


def test_what_is_kept_is_delivered_until_it_is_acknowledged_and_never_doubled(connect: Open) -> None:
    web, worker = connect(), connect()
    web.set_up()
    web.set_up()  # is there already
    arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
    worker.listen(worker.subject("deliver", "any.1"), arrived.put)
    web.add_worker("any.1")
    web.add_worker("any.2")
    for _ in range(2):
        web.keep(web.subject("grade", "interactive", "any.1"), b"first", "1-1")
    message = taken(arrived)
    assert message.data == b"first"
    message.refuse()
    again = taken(arrived)
    assert again.data == b"first"
    again.acknowledge()
    web.keep(web.subject("grade", "interactive", "any.2"), b"another's", "3-1")
    web.keep(web.subject("grade", "interactive", "any.1"), b"second", "2-1")
    assert taken(arrived).data == b"second"
    assert arrived.empty()


def test_each_reply_comes_to_one_recorder(connect: Open) -> None:
    webs, worker = [connect(), connect()], connect()
    webs[0].set_up()
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    for web in webs:

        def handle(message: Message) -> None:
            arrived.put(message.data)
            message.acknowledge()

        web.pull(web.stream("replies"), RECORDERS, handle, 2)
    for number in range(20):
        worker.keep(worker.subject("reply", "any.1"), b"%d" % number, f"verdict-{number}")
    assert sorted(int(arrived.get(timeout=LIMIT_SECONDS)) for _ in range(20)) == list(range(20))
    assert arrived.empty()


def test_an_object_is_kept_under_its_name_once(connect: Open) -> None:
    web = connect()
    web.set_up()
    with pytest.raises(NothingKept):
        web.object("a" * 64)
    content = os.urandom(300_000)
    web.put_object("a" * 64, content)
    web.put_object("a" * 64, b"another")
    assert web.object("a" * 64) == content


# ---- who is there ----


def test_a_question_is_answered_or_nobody_listens(connect: Open) -> None:
    web, worker = connect(), connect()
    with pytest.raises(NobodyListens):
        web.ask(web.subject("probe", "any.1"), b"", LIMIT_SECONDS)
    gone: queue.SimpleQueue[bool] = queue.SimpleQueue()
    web.probe(web.subject("probe", "any.1"), LIMIT_SECONDS, lambda: gone.put(True))
    assert gone.get(timeout=LIMIT_SECONDS)
    worker.listen(worker.subject("probe", "any.1"), lambda message: message.answer(b"here"))
    until_listening(worker)
    assert web.ask(web.subject("probe", "any.1"), b"", LIMIT_SECONDS) == b"here"
    web.probe(web.subject("probe", "any.1"), LIMIT_SECONDS, lambda: gone.put(True))
    assert web.ask(web.subject("probe", "any.1"), b"", LIMIT_SECONDS) == b"here", "and the one before has been answered"
    worker.close()
    with pytest.raises(BrokerAway):
        worker.ask(worker.subject("probe", "any.1"), b"", LIMIT_SECONDS)
    assert gone.empty(), "it was there"

    def is_gone() -> bool:
        """Until the broker has seen the connection end, it passes questions on to it."""
        try:
            web.ask(web.subject("probe", "any.1"), b"", UNANSWERED_SECONDS)
        except NobodyListens:
            return True
        except BrokerAway:
            pass
        return False

    until(is_gone, "the broker passes questions on to it")


def test_what_one_thread_tells_arrives_whole_and_in_order(connect: Open) -> None:
    """More at once than a socket takes, between questions; and a listener that stops leaves nothing behind."""
    says, hears = connect(), connect()
    arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
    stop = hears.listen(hears.subject("many"), arrived.put)
    hears.listen(hears.subject("echo"), lambda message: message.answer(message.data))
    until_listening(hears)
    listening = len(hears._client.handlers)
    for number in range(200):
        says.tell(says.subject("many"), b"%d " % number + bytes(200_000))
        if number % 50 == 0:
            assert says.ask(says.subject("echo"), b"%d" % number, LIMIT_SECONDS) == b"%d" % number
    assert [int(taken(arrived).data.split()[0]) for _ in range(200)] == list(range(200))
    stop()
    until(lambda: len(hears._client.handlers) != listening, "what it heard with stays")
    assert len(hears._client.handlers) == listening - 1
    assert not says._awaited, "nor does a question"


def test_nobody_is_the_first_answer_of_a_conversation_with_nobody(connect: Open) -> None:
    """The question goes out after the subscription to its answers, or the broker has nowhere to say so."""
    broker = connect()
    for _ in range(50):
        conversation = broker.converse()
        conversation.say(broker.subject("nobody"), [b"first", b"second"])
        answer = conversation.next(LIMIT_SECONDS)
        assert answer is not None
        assert answer.says_nobody
        conversation.close()


def test_a_broker_that_comes_late_and_one_that_forgets_are_found_again(tmp_path: Path) -> None:
    with running_broker(tmp_path / "broker") as server:
        server.kill()
        web = Broker(server.url("late"), "test")
        arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
        web.listen(web.subject("put"), arrived.put)
        assert not web.open(0.0)
        with pytest.raises(BrokerAway):
            web.set_up()
        web.tell(web.subject("put"), b"lost")
        server.start()
        until(lambda: web.is_connected, "it has not come back")
        web.set_up()
        web.keep(web.subject("grade", "interactive", "any.1"), b"", "1-1")
        server.kill(forget=True)
        server.start()

        def has_forgotten() -> bool:
            try:
                web.keep(web.subject("grade", "interactive", "any.1"), b"", "1-1")
            except NobodyListens:
                return True
            except BrokerAway:
                pass
            return False

        until(has_forgotten, "it is away, or remembers")
        web.set_up()
        web.keep(web.subject("grade", "interactive", "any.1"), b"", "1-1")
        web.tell(web.subject("put"), b"heard")
        assert taken(arrived).data == b"heard"
        web.close()


# ---- credentials ----


PASSWORDS = {name: uuid.uuid4().hex for name in ("web", "gpu", "lab-1")}


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A broker with one web user and two workers."""
    with running_broker(tmp_path_factory.mktemp("guarded"), users("spring", PASSWORDS)) as server:
        yield server


@pytest.fixture
def guarded(guard: Server) -> Iterator[Callable[[str], Broker]]:
    """Opens a connection by name."""
    opened: list[Broker] = []

    def connect(name: str) -> Broker:
        opened.append(Broker(guard.url("spring", f"{name}:{PASSWORDS[name]}"), "test"))
        assert opened[-1].open(LIMIT_SECONDS)
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


def log_of(server: Server) -> str:
    return (server.folder / "nats.log").read_text()


def test_a_worker_hears_and_says_what_is_its_own(guarded: Callable[[str], Broker]) -> None:
    web, gpu = guarded("web"), guarded("gpu")
    web.set_up()
    web.put_object("b" * 64, b"files")
    assert gpu.object("b" * 64) == b"files"
    arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
    gpu.listen(gpu.subject("deliver", "gpu.1"), arrived.put)
    web.add_worker("gpu.1")
    web.keep(web.subject("grade", "interactive", "gpu.1"), b"job", "1-1")
    job = taken(arrived)
    job.beat()
    job.refuse()
    taken(arrived).acknowledge()
    replies: queue.SimpleQueue[Message] = queue.SimpleQueue()
    web.pull(web.stream("replies"), RECORDERS, replies.put, 1)
    gpu.keep(gpu.subject("reply", "gpu.1"), b"verdict", "verdict-1")
    assert taken(replies).subject == "spring.reply.gpu.1"


def test_a_worker_neither_reads_anothers_work_nor_speaks_in_its_name(
    guard: Server, guarded: Callable[[str], Broker], monkeypatch: pytest.MonkeyPatch
) -> None:
    web, lab = guarded("web"), guarded("lab-1")
    web.set_up()
    with monkeypatch.context() as patched:
        patched.setattr("app.queue.nats.ANSWER_SECONDS", UNANSWERED_SECONDS)
        gpu = guarded("gpu")
    stolen: queue.SimpleQueue[Message] = queue.SimpleQueue()
    honest: queue.SimpleQueue[Message] = queue.SimpleQueue()
    for subject in ("spring.>", ">", "spring.deliver.lab-1.1", "spring.reply.>", "spring.nudge", "_INBOX.>", "$JS.>",
                    "spring.task.>", "spring.task.lab-1.1", "spring.prepare.lab-1.1"):  # fmt: skip
        gpu.listen(subject, stolen.put)
    lab.listen(lab.subject("deliver", "lab-1.1"), honest.put)
    heard: queue.SimpleQueue[Message] = queue.SimpleQueue()
    for subject in ("recorded", "done", "put", "nudge", "beat"):
        web.listen(web.subject(subject, ">") if subject in ("recorded", "beat") else web.subject(subject), heard.put)
    web.add_worker("lab-1.1")
    until_listening(web, lab)
    kept = ("spring.reply.lab-1.1", "spring.grade.interactive.lab-1.1", "spring.grade.interactive.gpu.1")
    with monkeypatch.context() as patched:
        patched.setattr("app.queue.nats.ANSWER_SECONDS", UNANSWERED_SECONDS)
        for subject in kept:
            with pytest.raises(BrokerAway):
                gpu.keep(subject, b"forged", f"forged-{subject}")
    told = ("spring.recorded.lab-1.1", "spring.done", "spring.put", "spring.nudge", "spring.beat.lab-1.1")
    for subject in told:
        gpu.tell(subject, b"forged")
    asked = ("$JS.API.CONSUMER.MSG.NEXT.spring-replies.recorders", "$JS.API.STREAM.MSG.GET.spring-jobs",
             "$JS.API.CONSUMER.CREATE.spring-jobs.x", "$JS.API.STREAM.PURGE.spring-replies")  # fmt: skip
    for subject in asked:
        with pytest.raises(BrokerAway):
            gpu.ask(subject, b'{"batch":1,"seq":1}', UNANSWERED_SECONDS)
    with pytest.raises(BrokerAway):
        gpu.put_object("c" * 64, b"another's files")
    web.keep(web.subject("grade", "interactive", "lab-1.1"), b"job", "9-1")
    assert taken(honest).data == b"job"
    gpu.tell(gpu.subject("beat", "gpu.1"), b"own")
    assert taken(heard).data == b"own", "nothing that was forged came before"
    assert stolen.empty()
    refused = re.findall(r'Publish Violation - User "gpu", Subject "([^"]+)"', log_of(guard))
    assert not {*kept, *told, *asked} - {*refused}


def test_a_task_is_between_a_web_process_and_the_worker_that_it_asked(guarded: Callable[[str], Broker]) -> None:
    """Under the names and rights of a real broker: any number of frames back, and the question whether somebody is
    still there. attack: another worker answers in the web's inbox. defence: it was not asked there."""
    web, gpu, lab = guarded("web"), guarded("gpu"), guarded("lab-1")
    asked, beats = queue.SimpleQueue[Message](), queue.SimpleQueue[Message]()
    lab.listen(lab.subject("task", "lab-1.1"), asked.put)
    web.listen(web.subject("beat", ">"), beats.put)
    until_listening(lab, web)
    conversation = web.converse()
    conversation.say(web.subject("task", "lab-1.1"), [b"pone", b"l"])
    message = taken(asked)
    assert (message.data, taken(asked).data) == (b"pone", b"l")
    gpu.tell(message.asker, b"e forged")
    gpu.tell(gpu.subject("beat", "gpu.1"), b"own")
    assert taken(beats).data == b"own", "the one before has been refused"
    for number in range(20):
        lab.tell(message.asker, b"p%d" % number)
    for number in range(20):
        answer = conversation.next(LIMIT_SECONDS)
        assert answer is not None
        assert answer.data == b"p%d" % number
    gone: queue.SimpleQueue[bool] = queue.SimpleQueue()
    lab.probe(message.asker, LIMIT_SECONDS, lambda: gone.put(True))
    question = conversation.next(LIMIT_SECONDS)
    assert question is not None
    assert question.data == b""
    question.answer(b"")
    assert gone.empty()
    conversation.close()
    until_listening(web)
    lab.probe(message.asker, LIMIT_SECONDS, lambda: gone.put(True))
    assert gone.get(timeout=LIMIT_SECONDS)


def test_without_its_password_nobody_is_let_in(guard: Server) -> None:
    stranger = Broker(guard.url("spring", "web:guessed"), "test")
    try:
        stranger.open(0.0)
        until(lambda: log_of(guard).count("authentication error") > 1, "it was not turned away")
        assert not stranger.is_reached(0.0)
    finally:
        stranger.close()


# The client leaves the streams of its vain attempts to the garbage collector, which complains of them.
@pytest.mark.filterwarnings("ignore:Exception ignored in.*StreamWriter", "ignore:unclosed:ResourceWarning")
def test_a_web_process_that_was_turned_away_comes_back_when_it_is_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client gives up for good where its password is no longer taken, or tries for ever, as the moment has it. The
    web must not give up, for its pages go on."""
    monkeypatch.setattr("app.queue.nats.TURNED_AWAY_SECONDS", 0.5)
    passwords = {"web": uuid.uuid4().hex}
    with running_broker(tmp_path / "broker", users("spring", passwords)) as server:
        right = server.config
        web = Broker(server.url("spring", f"web:{passwords['web']}"), "test")
        assert web.open(LIMIT_SECONDS)
        web.set_up()

        def is_back() -> bool:
            return web.is_connected and not web.has_ended

        arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
        pulled: queue.SimpleQueue[Message] = queue.SimpleQueue()
        web.listen(web.subject("put"), arrived.put)
        web.pull(web.stream("replies"), RECORDERS, pulled.put, 1)
        server.reload(right.replace(passwords["web"], "changed"))
        until(lambda: not is_back(), "it stays")
        refusals = log_of(server).count("authentication error")
        until(lambda: log_of(server).count("authentication error") > refusals + 1, "it does not try again")
        assert not is_back()
        server.reload(right)
        until(is_back, "it does not come back")
        web.tell(web.subject("put"), b"heard")
        assert taken(arrived).data == b"heard"
        web.keep(web.subject("reply", "any.1"), b"kept", "1")
        assert taken(pulled).data == b"kept"
        web.close()
    gc.collect()


@pytest.mark.filterwarnings("ignore:Exception ignored in.*StreamWriter", "ignore:unclosed:ResourceWarning")
def test_a_client_that_stopped_trying_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its task of reconnecting can end without a word, as where the broker turns it away at the wrong moment."""
    monkeypatch.setattr("app.queue.nats.GIVEN_UP_SECONDS", 1.0)
    password = uuid.uuid4().hex
    with running_broker(tmp_path / "broker", users("spring", {"web": password})) as server:
        web = Broker(server.url("spring", f"web:{password}"), "test")
        assert web.open(LIMIT_SECONDS)
        arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
        web.listen(web.subject("put"), arrived.put)
        server.kill()

        def tries() -> asyncio.Task[None] | None:
            trying: asyncio.Task[None] | None = web._client._reconnection_task
            return trying if trying is not None and not trying.done() else None

        trying = until(tries, "it does not try")
        assert trying is not None
        web._loop.call_soon_threadsafe(trying.cancel)
        until(trying.done, "it goes on trying")
        assert not web.has_ended, "a broker that is away is no broker that turns us away: a worker must not end"
        server.start()
        until(lambda: web.is_connected, "it does not come back")

        def is_heard() -> bool:
            web.tell(web.subject("put"), b"heard")
            return not arrived.empty()

        until(is_heard, "it does not listen again", look_seconds=0.05)
        assert taken(arrived).data == b"heard"
        web.close()
    gc.collect()


@pytest.mark.parametrize("name", ["GPU", "a.b", "*", ">", "", "a" * 21, "1st"])
def test_a_name_that_would_open_more_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        users("spring", {name: "p"})


# ---- what a client of one's own making says ----


@contextmanager
def speaking(broker: Server) -> Iterator[Callable[[bytes], None]]:
    """A connection that says to the broker what no library would."""
    with socket.create_connection(("127.0.0.1", broker.port), timeout=LIMIT_SECONDS) as connection:
        lines = connection.makefile("rb")
        assert lines.readline().startswith(b"INFO")

        def say(words: bytes) -> None:
            connection.sendall(words + b"PING\r\n")
            while (line := lines.readline()) != b"PONG\r\n":
                assert line, "the broker has hung up"

        say(b'CONNECT {"verbose":false,"headers":true,"no_responders":true,"protocol":1}\r\n')
        yield say


def with_headers(subject: bytes, headers: bytes, data: bytes) -> bytes:
    return b"HPUB %b %d %d\r\n%b%b\r\n" % (subject, len(headers), len(headers) + len(data), headers, data)


def test_a_reply_with_the_brokers_own_headers_is_a_reply(broker: Server, connect: Open) -> None:
    """attack: what is kept with a status is never acknowledged, and in the end no recorder is given anything."""
    web, arrived = connect(), queue.SimpleQueue[bytes]()
    web.set_up()
    subject = web.subject("reply", "gpu", "1").encode()
    with speaking(broker) as say:
        for number, status in enumerate((b"404", b"408", b"409", b"100", b"503")):
            headers = b"NATS/1.0 %b No Messages\r\nStatus: %b\r\n\r\n" % (status, status)
            say(with_headers(subject, headers, b"%d" % number))
            say(with_headers(subject, b"NATS/1.0\r\nStatus: %b\r\n\r\n" % status, b"%d" % number))

    def handle(message: Message) -> None:
        arrived.put(message.data)
        message.acknowledge()

    web.pull(web.stream("replies"), RECORDERS, handle, 1)
    web.keep(web.subject("reply", "any.1"), b"honest", "verdict-1")
    found = set()
    while (data := arrived.get(timeout=LIMIT_SECONDS)) != b"honest":
        found.add(data)
    assert found == {b"0", b"1", b"2", b"3", b"4"}
    until(lambda: not web.streams()[web.stream("replies")], "one is not acknowledged", look_seconds=0.05)


@pytest.mark.parametrize("subject", [b"\xff", b"a\x0b", b"a\x0c9", b"a\x1c9"])
def test_what_cannot_be_read_ends_no_connection(broker: Server, connect: Open, subject: bytes) -> None:
    web, heard, forged = connect(), queue.SimpleQueue[Message](), queue.SimpleQueue[Message]()
    lost: list[bool] = []
    web.on_reconnect.append(lambda: lost.append(True))
    for _ in range(12):
        web.listen(web.subject("done"), forged.put)  # whose numbers a sender may guess
    web.listen(web.subject("beat", ">"), heard.put)
    until_listening(web)
    beat = web.subject("beat", "gpu").encode() + b"."
    with speaking(broker) as say:
        for number in b"", b"3", b"9":
            say(b"PUB %b%b%b 6\r\nforged\r\n" % (beat, subject, number))
        say(with_headers(beat + b"1", b"abc", b"forged"))
        say(b"PUB %b1 6\r\nhonest\r\n" % beat)
    while taken(heard).data != b"honest":
        pass
    assert forged.empty()
    assert not lost


def test_what_was_kept_and_cannot_be_read_is_ended(broker: Server, connect: Open) -> None:
    web, arrived = connect(), queue.SimpleQueue[Message]()
    web.set_up()
    with speaking(broker) as say:
        say(with_headers(web.subject("reply", "gpu", "1").encode(), b"abc", b"forged"))
        say(b"PUB %b.reply.gpu.\xff 6\r\nforged\r\n" % web.address.installation.encode())

    def handle(message: Message) -> None:
        arrived.put(message)
        message.acknowledge()

    web.pull(web.stream("replies"), RECORDERS, handle, 1)
    web.keep(web.subject("reply", "any.1"), b"honest", "verdict-1")
    assert taken(arrived).data == b"honest"
    until(lambda: not web.streams()[web.stream("replies")], "one is kept", look_seconds=0.05)


# ---- encryption ----


def test_a_broker_that_does_not_encrypt_learns_no_password() -> None:
    """Somebody in between says in the broker's place that no encryption is needed."""
    hello = b'INFO {"server_id":"x","version":"2.10.0","auth_required":true,"max_payload":1000000,"headers":true}\r\n'
    heard, calls = bytearray(), list[bool]()

    class Impostor(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            calls.append(True)
            with contextlib.suppress(OSError):
                self.request.sendall(hello)
                while part := self.request.recv(4096):
                    heard.extend(part)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Impostor) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        broker = Broker(f"tls://web:aVerySecretOne@127.0.0.1:{server.server_address[1]}/spring", "test")
        try:
            broker.open(0.0)
            until(lambda: len(calls) > 2, "it does not call again")
            assert not broker.is_reached(0.0)
        finally:
            broker.close()
            server.shutdown()
    assert b"aVerySecretOne" not in heard
    assert b"CONNECT" not in heard


def test_a_broker_that_encrypts_and_proves_its_name_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, *files, "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    config = f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}\n'
    config += 'authorization { user: "web", password: "aVerySecretOne" }\n'
    with running_broker(tmp_path / "nats", config) as server:
        url = f"tls://web:aVerySecretOne@localhost:{server.port}/spring"
        stranger = Broker(url, "test")
        try:
            stranger.open(0.0)
            until(lambda: log_of(server).count("TLS handshake error") > 1, "it does not try")
            assert not stranger.is_reached(0.0), "nobody vouches for its certificate"
        finally:
            stranger.close()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        broker = Broker(url, "test")
        try:
            assert broker.open(LIMIT_SECONDS)
            broker.set_up()
        finally:
            broker.close()

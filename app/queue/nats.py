"""The connection to a NATS server with JetStream: the one module that knows the client.

A connection lives in a thread with an event loop of its own, so that the rest of the queue is written with threads.
Whatever was subscribed to is subscribed to again after the server was away, however long that was; a server that has
lost its memory is set up again (`set_up`).

What `tell` sends may be lost: a nudge, a beat. What `keep` sends is on the broker's disk when it returns, and is
delivered until it is acknowledged.
"""

import asyncio
import concurrent.futures
import contextlib
import queue
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import nats.errors
import structlog
import uvloop
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext, api
from nats.js.errors import BucketNotFoundError, NoStreamResponseError, NotFoundError, ObjectNotFoundError
from nats.protocol import parser

from app.settings import BrokerAddress

log = structlog.get_logger("lectern.queue")

ANSWER_SECONDS = 5.0  # for the broker itself to answer
RECONNECT_SECONDS = 0.25
END_SECONDS = 1.0
TURNED_AWAY_SECONDS = 5.0  # after which a broker that has turned us away is asked again
GIVEN_UP_SECONDS = 15.0  # without a connection, after which another client tries: the first may have stopped trying
PULL_SECONDS = 1.0  # a broker that was restarted, or has a consumer only now, does not answer what was asked before
PAUSE_SECONDS = 0.2  # after a failure, so that a broker in trouble is not asked a thousand times a second
ACK_SECONDS = 15.0  # without a beat, what was delivered is delivered again
DELIVERIES = 3
MAX_PULLS = 8  # handlers of pulled messages at once
DUPLICATE_SECONDS = 120.0  # in which a message of the same id is the same message
WORKER_GONE_SECONDS = 600.0  # after which the broker forgets a worker that listens no more
KEPT_SECONDS = 24 * 3600.0
RECORDERS = "recorders"
KEPT = b"$JS.ACK."  # how the subject begins on which what was kept is acknowledged

T = TypeVar("T")


class BrokerAway(Exception):
    """The broker did not answer. What was asked may have been done all the same: ask again."""


class NobodyListens(Exception):
    """The broker answered that nobody is subscribed to this subject."""


class NothingKept(Exception):
    """The broker has no object of this name."""


class Message:
    """One message, as a handler is given it."""

    def __init__(self, broker: "Broker", message: Msg) -> None:
        self._broker, self._message = broker, message
        self.subject, self.data = message.subject, message.data

    @property
    def asker(self) -> str:
        """Where an answer goes: the same for all messages of a conversation. "" where none is waited for."""
        return str(self._message.reply) if self._message.reply.startswith("_INBOX.") else ""

    @property
    def id(self) -> str:
        """That it was kept by; "" for what is not kept."""
        return (self._message.headers or {}).get("Nats-Msg-Id", "")

    @property
    def says_nobody(self) -> bool:
        """Whether the broker says this itself: that nobody listens there."""
        return (self._message.headers or {}).get("Status") == "503"

    def answer(self, data: bytes) -> None:
        """attack: a worker asks and names `$JS.API.STREAM.DELETE.…` as where to answer: the web, which may, would say
        it there. defence: answers go to inboxes and nowhere else."""
        if self.asker:
            self._broker.tell(self.asker, data)

    def acknowledge(self) -> None:
        """It is done: it is not delivered again."""
        self._broker.tell(self._message.reply, b"+ACK")

    def refuse(self) -> None:
        """It is not done: it is delivered again at once."""
        self._broker.tell(self._message.reply, b"-NAK")

    def beat(self) -> None:
        """It is being worked on: it is not delivered to others meanwhile."""
        self._broker.tell(self._message.reply, b"+WPI")


Handler = Callable[[Message], None]


class Conversation:
    """A question with any number of answers, until it is closed. Who answers may ask whether anybody still listens."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self._inbox = broker.new_inbox()
        self._said: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._stop = broker.listen(self._inbox, self._said.put)

    def say(self, subject: str, frames: Iterable[bytes]) -> None:
        """Sends them in this order; they may be lost. Where nobody listens, that is the first answer."""
        for frame in frames:
            self._broker.tell(subject, frame, self._inbox)

    def next(self, seconds: float) -> Message | None:
        """The next answer; None after `seconds`."""
        try:
            return self._said.get(timeout=max(0.001, seconds))
        except queue.Empty:
            return None

    def close(self) -> None:
        self._stop()


class _Heard:
    """A subject that is listened to, on whichever connection there is."""

    def __init__(self, broker: "Broker", subject: str, handler: Handler, group: str) -> None:
        self.subject, self.handler, self.group = subject, handler, group
        self.is_stopped = False
        self._broker = broker
        self._subscription: Any = None

    async def begin(self) -> None:
        if not self.is_stopped:
            self._subscription = await self._broker.subscribe(self)

    async def end(self) -> None:
        self._broker.forget(self)
        if self._subscription is not None:
            with contextlib.suppress(nats.errors.Error):
                await self._subscription.unsubscribe()
            self._subscription._conn.handlers.pop(self._subscription._id, None)


# attack: a subject with a vertical tab in it, which the library takes for a blank: what comes after it is the number of
# a subscription, any that the sender chooses, or breaks the connection. defence: words are divided as the broker
# divides them, by blanks and tabs.
parser.MSG_RE = re.compile(rb"\AMSG[ \t]+([^ \t\r\n]+)[ \t]+(\d+)[ \t]+(([^ \t\r\n]+)[ \t]+)?(\d+)\r\n")
parser.HMSG_RE = re.compile(rb"\AHMSG[ \t]+([^ \t\r\n]+)[ \t]+(\d+)[ \t]+(([^ \t\r\n]+)[ \t]+)?(\d+)[ \t]+(\d+)\r\n")


class _CarefulClient(Client):
    """The library's client, which takes for the broker's own words some that another client chose.

    attack: keep a reply with a header `Status: 404`, which the broker sends where there is nothing to pull: it is never
    acknowledged, comes again each time, and after 256 of them no recorder is given anything. Or a header of three
    bytes, or a subject that is no UTF-8: the task that reads the connection ends, and nobody hears of it until the
    pings fail.
    defence: what was kept was said by a client, and has no status; what cannot be read is logged, and ended if it was
    kept.

    It is quicker, too: what is published is written without a task of the library's that writes, and what comes for a
    handler of ours is given to it without a queue and a task between. Each of these is a turn of the loop.
    """

    def __init__(self) -> None:
        super().__init__()
        self.handlers: dict[int, Callable[[Msg], None]] = {}  # by subscription: they must not wait

    def publish_now(self, subject: str, data: bytes, answer_to: str) -> None:
        """Raises what `publish` raises, which waits for nothing while there is a connection."""
        publishing = self.publish(subject, data, answer_to)
        try:
            publishing.send(None)
        except StopIteration:
            return
        publishing.close()

    async def _flush_pending(self, force_flush: bool = False) -> Any:
        if force_flush or not self.is_connected or self._transport is None:
            return await super()._flush_pending(force_flush)
        waiting, self._pending, self._pending_data_size = self._pending, [], 0
        try:
            if waiting:
                self._transport.writelines(waiting)  # what the socket does not take at once is kept by the loop
        except RuntimeError:  # the loop knows that the connection is gone; the task that reads it learns that next
            pass
        except OSError as error:  # as the library's task does
            await self._error_cb(error)
            await self._process_op_err(error)
        return None

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        try:
            if (handler := self.handlers.get(sid)) is None:
                await super()._process_msg(sid, subject, reply, data, headers)
            else:
                handler(self._build_message(sid, subject, reply, data, await self._process_headers(headers)))
        except Exception as error:  # noqa: BLE001 (whatever it is, the next message has not earned it)
            log.warning("message_unreadable", subject=repr(subject[:200]), reason=_reason(error))
            if reply.startswith(KEPT):
                await self.publish(reply.decode("ascii", "replace"), b"+TERM")

    def _build_message(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: Any) -> Msg:
        if headers and reply.startswith(KEPT):
            headers = {name: value for name, value in headers.items() if name not in ("Status", "Description")}
        message: Msg = super()._build_message(sid, subject, reply, data, headers)
        return message


class _EncryptedClient(_CarefulClient):
    """What `tls://` asks for: the broker proves its name and encrypts, or hears nothing.

    attack: somebody between us and the broker says in its place that no encryption is needed. The library believes it,
    whatever the URL says, and sends the password, and later the students' sources, for that one to read.
    defence: where the broker does not ask for encryption, the first word of ours is not said. (Where it does, the
    library compares its certificate with the name in the URL.)
    """

    def _connect_command(self) -> bytes:
        if not self._server_info.get("tls_required"):
            raise nats.errors.Error("it does not encrypt: give it a `tls` block, or say nats:// in LECTERN_QUEUE")
        command: bytes = super()._connect_command()
        return command


class Broker:
    """One connection. Every method may be called from any thread but the loop's own, on which handlers run: a handler
    may `tell`, `answer` and acknowledge, and must not wait."""

    def __init__(self, url: str, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`name`: by which the broker's own listings show this process. Raises ValueError for a URL that is none."""
        self.address = BrokerAddress.read(url)
        self.name, self._clock = name, clock
        self._client = self._new_client()
        self._jetstream: JetStreamContext | None = None
        self._loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()  # each hop costs it half of asyncio's own
        self._handlers = ThreadPoolExecutor(MAX_PULLS, "lectern-pulled")
        self._thread = threading.Thread(target=self._loop.run_forever, name="lectern-broker", daemon=True)
        self._is_open = threading.Event()
        self.is_back_since = 0.0  # after it was away
        self._closing, self.has_ended = False, False
        self.on_reconnect: list[Callable[[], None]] = []  # called on the loop: they must not wait
        self._after_connecting: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._pulls: set[asyncio.Task[None]] = set()
        self._heard: dict[int, _Heard] = {}
        self._asked: set[concurrent.futures.Future[Any]] = set()
        self._told: deque[tuple[str, bytes, str]] = deque()  # on the loop, until what was begun before has begun
        self._not_begun = 0
        self._answers = self.new_inbox()
        self._awaited: dict[str, concurrent.futures.Future[Message]] = {}  # by the inbox that the answer comes to
        self._hanging_up = threading.Event()
        self._connecting: Any = None
        self._beginning_again: asyncio.Future[None] | None = None
        self._guard: asyncio.Future[None] | None = None

    # ---- its life ----

    def open(self, seconds: float = ANSWER_SECONDS) -> bool:
        """Connect, and keep trying in the background. Whether the broker was there within `seconds`."""
        self._thread.start()
        self.listen(f"{self._answers}.*", self._on_answer)
        self._connecting = asyncio.run_coroutine_threadsafe(self._connect(), self._loop)
        return self.is_reached(seconds)

    def is_reached(self, seconds: float) -> bool:
        """Whether the broker has been there, `seconds` from now at the latest."""
        return self._is_open.wait(seconds)

    def hang_up(self) -> None:
        """Those who wait for an answer, or ask from now on, learn that the broker is away. What is told still goes
        out."""
        self._hanging_up.set()
        for asked in list(self._asked):
            asked.cancel()

    def close(self) -> None:
        if self._closing:
            return
        self.hang_up()
        self._closing = True
        if self._thread.is_alive():
            if self._connecting is not None:
                self._loop.call_soon_threadsafe(self._connecting.cancel)
            with contextlib.suppress(TimeoutError, OSError, nats.errors.Error):
                asyncio.run_coroutine_threadsafe(self._disconnect(), self._loop).result(END_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(END_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()
        self._handlers.shutdown(wait=False)
        self._is_open.clear()

    @property
    def is_connected(self) -> bool:
        return self._is_open.is_set() and bool(self._client.is_connected)

    def _new_client(self) -> _CarefulClient:
        return _EncryptedClient() if self.address.is_encrypted else _CarefulClient()

    def subject(self, *words: str) -> str:
        return ".".join((self.address.installation, *words))

    def stream(self, name: str) -> str:
        return f"{self.address.installation}-{name}"

    async def _connect(self, pause_seconds: float = PAUSE_SECONDS) -> None:
        while not self._closing:
            try:
                await self._client.connect(
                    list(self.address.servers),
                    name=self.name,
                    user=self.address.user or None,
                    password=self.address.password or None,
                    inbox_prefix=f"_INBOX.{self.address.user or 'any'}",
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RECONNECT_SECONDS,  # type: ignore[arg-type]
                    ping_interval=5,
                    error_cb=self._note_error,
                    disconnected_cb=self._note_disconnected,
                    reconnected_cb=self._note_reconnected,
                    closed_cb=self._note_closed,
                )
                break
            except (OSError, nats.errors.Error, TimeoutError) as error:
                log.error("broker_away", servers=self.address.servers, reason=_reason(error))
                await asyncio.sleep(pause_seconds)
        self._jetstream = self._client.jetstream(timeout=ANSWER_SECONDS)
        waiting, self._after_connecting = self._after_connecting, []
        for connected in waiting:
            await connected()
        if not self._is_open.is_set():
            self._is_open.set()
            self._guard = asyncio.ensure_future(self._replace_what_gave_up())

    async def _disconnect(self) -> None:
        for pull in self._pulls:
            pull.cancel()
        await asyncio.gather(*self._pulls, return_exceptions=True)
        await self._client.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _note_error(self, error: Exception) -> None:
        if self._client.is_connected:  # that it is away is said once, not with each try
            log.warning("broker_error", reason=_reason(error))

    async def _note_disconnected(self) -> None:
        if not self._closing:
            log.warning("broker_away", servers=self.address.servers)

    async def _note_closed(self) -> None:
        """The client has given up, as where the broker no longer takes the password."""
        if not self._closing and self._is_open.is_set() and not self._is_beginning_again:
            self.has_ended = True
            log.error("broker_connection_ended", remedy="check the name and the password in LECTERN_QUEUE")
            self._beginning_again = asyncio.ensure_future(self._begin_again())

    async def _replace_what_gave_up(self) -> None:
        """The client promises to try for ever, or to say that it has ended. Where the broker turns it away in the
        middle of a reconnection, it does neither: its task ends, and nobody hears of it."""
        is_away_since: float | None = None
        while not self._closing:
            await asyncio.sleep(1.0)
            if self._client.is_connected or self._is_beginning_again:
                is_away_since = None
                continue
            if is_away_since is None:
                is_away_since = self._clock()
            if self._client.is_closed:
                await self._note_closed()
            elif self._clock() - is_away_since > GIVEN_UP_SECONDS:
                self._beginning_again = asyncio.ensure_future(self._begin_again())

    @property
    def _is_beginning_again(self) -> bool:
        return self._beginning_again is not None and not self._beginning_again.done()

    async def _begin_again(self) -> None:
        """With a connection of its own: the client's is of no more use. What was listened to is listened to again."""
        if self.has_ended:
            await asyncio.sleep(TURNED_AWAY_SECONDS)
        is_back = False
        while not is_back:
            former, self._client = self._client, self._new_client()
            with contextlib.suppress(Exception):  # whatever state it is in
                await asyncio.wait_for(former.close(), END_SECONDS)
            await self._connect(TURNED_AWAY_SECONDS)
            try:
                for heard in list(self._heard.values()):
                    await heard.begin()
                is_back = True
            except (OSError, nats.errors.Error, TimeoutError) as error:
                log.error("broker_away", servers=self.address.servers, reason=_reason(error))
                await asyncio.sleep(PAUSE_SECONDS)
        self.has_ended = False
        await self._note_reconnected()

    async def _note_reconnected(self) -> None:
        self.is_back_since = self._clock()
        log.info("broker_is_back", servers=self.address.servers)
        for reconnected in self.on_reconnect:
            reconnected()

    def _soon(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run now, or as soon as the broker has been reached for the first time. What is told after it goes out after
        it: a question must not overtake the subscription that its answer comes to."""

        def begun() -> None:
            self._not_begun -= 1
            self._send_told()

        def begin() -> None:
            if self._is_open.is_set():
                self._not_begun += 1
                asyncio.ensure_future(step())  # noqa: RUF006 (its failure is logged by the loop)
                self._loop.call_soon(begun)
            else:
                self._after_connecting.append(step)

        self._loop.call_soon_threadsafe(begin)

    def _wait(self, asked: Coroutine[Any, Any, T], seconds: float) -> T:
        """Raises BrokerAway, NobodyListens."""
        if self._hanging_up.is_set() or self._closing or not self._is_open.is_set():
            asked.close()
            raise BrokerAway("there is no connection")
        return self._result(asyncio.run_coroutine_threadsafe(asked, self._loop), seconds)

    def _result(self, future: "concurrent.futures.Future[T]", seconds: float) -> T:
        self._asked.add(future)
        try:
            if self._hanging_up.is_set():
                future.cancel()
            return future.result(seconds)
        except (nats.errors.NoRespondersError, NoStreamResponseError, BucketNotFoundError) as error:
            raise NobodyListens(_reason(error)) from None
        except (TimeoutError, OSError, nats.errors.Error, CancelledError) as error:
            future.cancel()
            raise BrokerAway(_reason(error)) from None
        finally:
            self._asked.discard(future)

    # ---- what may be lost ----

    def tell(self, subject: str, data: bytes, answer_to: str = "") -> None:
        """Sent if the broker is there; never waits, never raises. What one thread tells arrives in that order."""

        def send() -> None:
            self._told.append((subject, data, answer_to))
            self._send_told()

        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(send)

    def _send_told(self) -> None:
        while self._told and not self._not_begun:
            subject, data, answer_to = self._told.popleft()
            if self._client.is_connected:
                with contextlib.suppress(nats.errors.Error, OSError):
                    self._client.publish_now(subject, data, answer_to)

    def new_inbox(self) -> str:
        """A subject of this connection's own, which nobody can guess."""
        return f"_INBOX.{self.address.user or 'any'}.{secrets.token_hex(16)}"

    def converse(self) -> Conversation:
        """Raises BrokerAway."""
        if not self.is_connected:
            raise BrokerAway("there is no connection")
        return Conversation(self)

    def ask(self, subject: str, data: bytes, seconds: float) -> bytes:
        """The answer of one who listens there. Raises NobodyListens, BrokerAway."""

        if not self.is_connected:
            raise BrokerAway("there is no connection")
        answer: concurrent.futures.Future[Message] = concurrent.futures.Future()
        inbox = f"{self._answers}.{secrets.token_hex(8)}"
        self._awaited[inbox] = answer
        try:
            self.tell(subject, data, inbox)
            message = self._result(answer, seconds)
        finally:
            del self._awaited[inbox]
        if message.says_nobody:
            raise NobodyListens(subject)
        return bytes(message.data)

    def _on_answer(self, message: Message) -> None:
        """The first answer counts; one that comes when nobody waits any more is dropped."""
        if (answer := self._awaited.get(message.subject)) is not None:
            with contextlib.suppress(concurrent.futures.InvalidStateError):
                answer.set_result(message)

    def probe(self, subject: str, seconds: float, when_nobody: Callable[[], None]) -> None:
        """Calls `when_nobody` if the broker says that nobody listens there; what listens and is slow is left alone."""

        async def request() -> None:
            try:
                await self._client.request(subject, b"", timeout=seconds)
            except nats.errors.NoRespondersError:
                when_nobody()
            except (nats.errors.Error, TimeoutError, OSError):
                pass

        with contextlib.suppress(RuntimeError):  # the loop is closed
            asyncio.run_coroutine_threadsafe(request(), self._loop)

    def listen(self, subject: str, handler: Handler, group: str = "") -> Callable[[], None]:
        """From now on each message there is handled, or with a `group` each by one of it. Returns how to stop."""
        heard = _Heard(self, subject, handler, group)

        def stop() -> None:
            heard.is_stopped = True
            if not self._closing:
                self._soon(heard.end)

        self._soon(heard.begin)
        return stop

    async def subscribe(self, heard: "_Heard") -> Any:
        """On the loop, for `_Heard` alone: what the client gives for it."""
        self._heard[id(heard)] = heard

        async def handle(message: Msg) -> None:
            self._handle(heard.handler, message)

        client = self._client
        subscription = await client.subscribe(heard.subject, queue=heard.group, cb=handle)
        client.handlers[subscription._id] = partial(self._handle, heard.handler)
        return subscription

    def forget(self, heard: "_Heard") -> None:
        self._heard.pop(id(heard), None)

    def _handle(self, handler: Handler, message: Msg) -> None:
        try:
            handler(Message(self, message))
        except Exception:
            log.exception("message_not_handled", subject=message.subject)

    # ---- what is kept ----

    def set_up(self) -> None:
        """The streams, the recorders' consumer and the bucket of this installation, if they are not there. Raises
        BrokerAway."""
        self._wait(self._set_up(), 2 * ANSWER_SECONDS)

    async def _set_up(self) -> None:
        assert self._jetstream is not None
        for name, subjects in (("jobs", self.subject("grade", ">")), ("replies", self.subject("reply", ">"))):
            await self._jetstream.add_stream(
                api.StreamConfig(
                    name=self.stream(name),
                    subjects=[subjects],
                    retention=api.RetentionPolicy.WORK_QUEUE,
                    storage=api.StorageType.FILE,
                    duplicate_window=DUPLICATE_SECONDS,
                    max_age=KEPT_SECONDS,
                )
            )
        recorders = api.ConsumerConfig(
            durable_name=RECORDERS, ack_policy=api.AckPolicy.EXPLICIT, ack_wait=ACK_SECONDS, max_ack_pending=256
        )
        await self._jetstream.add_consumer(self.stream("replies"), recorders)
        bucket = self.stream("exercises")
        try:
            await self._jetstream.object_store(bucket)
        except NotFoundError:
            await self._jetstream.create_object_store(bucket)

    def streams(self) -> dict[str, int]:
        """The streams of this installation, each with its waiting messages; that of the bucket is among them. Raises
        NobodyListens where the broker has no JetStream, BrokerAway where it does not allow this user to look."""

        async def look() -> dict[str, int]:
            assert self._jetstream is not None
            found = {}
            for name in (self.stream("jobs"), self.stream("replies"), f"OBJ_{self.stream('exercises')}"):
                with contextlib.suppress(NotFoundError):
                    found[name] = (await self._jetstream.stream_info(name)).state.messages
            return found

        return self._wait(look(), 2 * ANSWER_SECONDS)

    def add_worker(self, worker: str) -> None:
        """What is sent to `worker` is delivered to it until it acknowledges. Raises BrokerAway.

        Delivered to a subject of its own, which its credentials open and no other's: a consumer from which workers pull
        could be pulled from by any of them.
        """

        async def add() -> None:
            assert self._jetstream is not None
            consumer = api.ConsumerConfig(
                durable_name=worker.replace(".", "-"),
                deliver_subject=self.subject("deliver", worker),
                filter_subject=self.subject("grade", "*", worker),
                ack_policy=api.AckPolicy.EXPLICIT,
                ack_wait=ACK_SECONDS,
                max_deliver=DELIVERIES,
                inactive_threshold=WORKER_GONE_SECONDS,
            )
            await self._jetstream.add_consumer(self.stream("jobs"), consumer)

        self._wait(add(), ANSWER_SECONDS)

    def keep(self, subject: str, data: bytes, id: str) -> None:
        """Returns when it is on the broker's disk; a second one of this id is dropped. Raises BrokerAway, and
        NobodyListens where no stream takes it: then `set_up` is due."""

        async def publish() -> None:
            assert self._jetstream is not None
            await self._jetstream.publish(subject, data, timeout=ANSWER_SECONDS, headers={"Nats-Msg-Id": id})

        self._wait(publish(), ANSWER_SECONDS + 1.0)

    def pull(self, stream: str, consumer: str, handler: Handler, at_once: int) -> None:
        """From now on what this consumer has is handled, so much at a time; each in a thread, until it ends."""

        async def one_after_the_other() -> None:
            assert self._jetstream is not None
            subscription, bound = None, self._jetstream
            while not self._closing:
                try:
                    if subscription is None or bound is not self._jetstream:
                        bound = self._jetstream
                        subscription = await bound.pull_subscribe_bind(consumer, stream)
                    messages = await subscription.fetch(1, timeout=PULL_SECONDS)
                except nats.errors.TimeoutError:
                    continue
                except (nats.errors.Error, OSError, RuntimeError) as error:
                    log.debug("nothing_pulled", stream=stream, reason=_reason(error))
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                for message in messages:
                    await self._loop.run_in_executor(self._handlers, self._handle, handler, message)

        async def begin() -> None:
            self._pulls |= {asyncio.ensure_future(one_after_the_other()) for _ in range(at_once)}

        self._soon(begin)

    def put_object(self, name: str, content: bytes) -> None:
        """Keeps the content under its name, if nothing is kept there. Raises BrokerAway, and NobodyListens where there
        is no bucket: then `set_up` is due."""

        async def put() -> None:
            assert self._jetstream is not None
            store = await self._jetstream.object_store(self.stream("exercises"))
            try:
                await store.get_info(name)
            except ObjectNotFoundError:
                await store.put(name, content)

        self._wait(put(), 4 * ANSWER_SECONDS)

    def object(self, name: str) -> bytes:
        """Raises NothingKept, BrokerAway."""

        async def get() -> bytes | None:
            assert self._jetstream is not None
            try:
                store = await self._jetstream.object_store(self.stream("exercises"))
                return (await store.get(name)).data
            except NotFoundError:
                return None

        content = self._wait(get(), 4 * ANSWER_SECONDS)
        if content is None:
            raise NothingKept(name)
        return content


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__

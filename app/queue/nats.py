"""The connection to a NATS server with JetStream: the one module that knows the client.

A connection lives in a thread with an event loop of its own, so that the rest of the queue is written with threads.
Whatever was subscribed to is subscribed to again after the server was away, however long that was; a server that has
lost its memory is set up again (`set_up`).

What `tell` sends may be lost: a nudge, a beat. What `keep` sends is on the broker's disk when it returns, and is
delivered until it is acknowledged.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any, TypeVar

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext, api
from nats.js.errors import BucketNotFoundError, NoStreamResponseError, NotFoundError, ObjectNotFoundError

from app.settings import BrokerAddress

log = structlog.get_logger("lectern.queue")

ANSWER_SECONDS = 5.0  # for the broker itself to answer
RECONNECT_SECONDS = 0.25
END_SECONDS = 2.0
PULL_SECONDS = 5.0
PAUSE_SECONDS = 0.2  # after a failure, so that a broker in trouble is not asked a thousand times a second
ACK_SECONDS = 15.0  # without a beat, what was delivered is delivered again
DELIVERIES = 3
MAX_PULLS = 8  # handlers of pulled messages at once
DUPLICATE_SECONDS = 120.0  # in which a message of the same id is the same message
WORKER_GONE_SECONDS = 600.0  # after which the broker forgets a worker that listens no more
KEPT_SECONDS = 24 * 3600.0
RECORDERS = "recorders"

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

    def answer(self, data: bytes) -> None:
        """attack: a worker asks and names `$JS.API.STREAM.DELETE.…` as where to answer: the web, which may, would say
        it there. defence: answers go to inboxes and nowhere else."""
        if self._message.reply.startswith("_INBOX."):
            self._broker.tell(self._message.reply, data)

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


class Broker:
    """One connection. Every method may be called from any thread but the loop's own, on which handlers run: a handler
    may `tell`, `answer` and acknowledge, and must not wait."""

    def __init__(self, url: str, name: str) -> None:
        """`name`: by which the broker's own listings show this process. Raises ValueError for a URL that is none."""
        self.address = BrokerAddress.read(url)
        self.name = name
        self._client = Client()
        self._jetstream: JetStreamContext | None = None
        self._loop = asyncio.new_event_loop()
        self._handlers = ThreadPoolExecutor(MAX_PULLS, "lectern-pulled")
        self._thread = threading.Thread(target=self._loop.run_forever, name="lectern-broker", daemon=True)
        self._is_open = threading.Event()
        self._closing, self.has_ended = False, False
        self.on_reconnect: list[Callable[[], None]] = []  # called on the loop: they must not wait
        self._after_connecting: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._pulls: set[asyncio.Task[None]] = set()
        self._connecting: Any = None

    # ---- its life ----

    def open(self, seconds: float = ANSWER_SECONDS) -> bool:
        """Connect, and keep trying in the background. Whether the broker was there within `seconds`."""
        self._thread.start()
        self._connecting = asyncio.run_coroutine_threadsafe(self._connect(), self._loop)
        return self._is_open.wait(seconds)

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        if self._thread.is_alive():
            if self._connecting is not None:
                self._connecting.cancel()
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

    def subject(self, *words: str) -> str:
        return ".".join((self.address.installation, *words))

    def stream(self, name: str) -> str:
        return f"{self.address.installation}-{name}"

    async def _connect(self) -> None:
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
                await asyncio.sleep(PAUSE_SECONDS)
        self._jetstream = self._client.jetstream(timeout=ANSWER_SECONDS)
        for connected in self._after_connecting:
            await connected()
        self._is_open.set()

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
        if not self._closing:
            self.has_ended = True
            log.error("broker_connection_ended", remedy="check the name and the password in LECTERN_QUEUE, and restart")

    async def _note_reconnected(self) -> None:
        log.info("broker_is_back", servers=self.address.servers)
        for reconnected in self.on_reconnect:
            reconnected()

    def _soon(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run now, or as soon as the broker has been reached for the first time."""

        def begin() -> None:
            if self._is_open.is_set():
                asyncio.ensure_future(step())  # noqa: RUF006 (its failure is logged by the loop)
            else:
                self._after_connecting.append(step)

        self._loop.call_soon_threadsafe(begin)

    def _wait(self, asked: Coroutine[Any, Any, T], seconds: float) -> T:
        """Raises BrokerAway, NobodyListens."""
        if self._closing or not self._is_open.is_set():
            asked.close()
            raise BrokerAway("there is no connection")
        future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        try:
            return future.result(seconds)
        except (nats.errors.NoRespondersError, NoStreamResponseError, BucketNotFoundError) as error:
            raise NobodyListens(_reason(error)) from None
        except (TimeoutError, OSError, nats.errors.Error, CancelledError) as error:
            future.cancel()
            raise BrokerAway(_reason(error)) from None

    # ---- what may be lost ----

    def tell(self, subject: str, data: bytes) -> None:
        """Sent if the broker is there; never waits, never raises."""

        async def send() -> None:
            with contextlib.suppress(nats.errors.Error, OSError):
                await self._client.publish(subject, data)

        def begin() -> None:
            if self._client.is_connected:
                asyncio.ensure_future(send())  # noqa: RUF006 (nothing is left to learn from it)

        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(begin)

    def ask(self, subject: str, data: bytes, seconds: float) -> bytes:
        """The answer of one who listens there. Raises NobodyListens, BrokerAway."""

        if not self.is_connected:  # the client would keep the question, and send it when nobody waits any more
            raise BrokerAway("there is no connection")

        async def request() -> bytes:
            reply = await self._client.request(subject, data, timeout=seconds)
            return bytes(reply.data)

        return self._wait(request(), seconds + 1.0)

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
        found: list[Any] = []
        stopped = False

        async def handle(message: Msg) -> None:
            self._handle(handler, message)

        async def begin() -> None:
            if not stopped:
                found.append(await self._client.subscribe(subject, queue=group, cb=handle))

        async def end() -> None:
            for subscription in found:
                with contextlib.suppress(nats.errors.Error):
                    await subscription.unsubscribe()

        def stop() -> None:
            nonlocal stopped
            stopped = True
            if not self._closing:
                self._soon(end)

        self._soon(begin)
        return stop

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
            subscription = None
            while not self._closing:
                try:
                    if subscription is None:
                        subscription = await self._jetstream.pull_subscribe_bind(consumer, stream)
                    messages = await subscription.fetch(1, timeout=PULL_SECONDS)
                except nats.errors.TimeoutError:
                    continue
                except (nats.errors.Error, OSError) as error:
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

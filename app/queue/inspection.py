"""The broker as `lectern doctor` sees it: reached, with JetStream, set up, allowed; and the workers that beat there."""

import time
from collections.abc import Callable, Iterator

from app.queue.messages import Beat, Garbled
from app.queue.nats import Broker, BrokerAway, Message, NobodyListens
from app.queue.remote import process_name
from app.settings import Settings

CONNECT_SECONDS = 5.0


def inspect(settings: Settings, listen_seconds: float) -> Iterator[tuple[str, str, str]]:
    """Findings: name, what is so, and a remedy where it is bad. Listens for beats for so many seconds at most."""
    broker = Broker(settings.queue, process_name("doctor"))
    servers = ", ".join(broker.address.servers)
    beats: dict[str, Beat] = {}

    def heard(message: Message) -> None:
        try:
            beats[message.subject.removeprefix(broker.subject("beat", ""))] = Beat.decoded(message.data)
        except Garbled:
            return

    try:
        if not broker.open(CONNECT_SECONDS):
            remedy = "Start it, or correct the host, the name and the password in LECTERN_QUEUE."
            yield "broker", f"{servers} cannot be reached, or refuses this name and password", remedy
            return
        yield "broker", f"{servers} is reached as {broker.address.user or 'anybody'}", ""
        broker.listen(broker.subject("beat", ">"), heard)
        yield _streams(broker)
        yield from _workers(beats, listen_seconds)
    finally:
        broker.close()


def _streams(broker: Broker) -> tuple[str, str, str]:
    try:
        found = broker.streams()
    except NobodyListens:
        return "streams", "the broker has no JetStream", "Start nats-server with the nats.conf of ./lectern cluster."
    except BrokerAway:
        remedy = "Use the URL of `web` (a worker may not look), or the nats.conf of ./lectern cluster."
        return "streams", f"{broker.address.user or 'this user'} is not allowed to look at them", remedy
    if len(found) < 3:
        return "streams", f"{len(found)} of 3 are there", "Start ./lectern serve: it sets them up."
    waiting = found[broker.stream("replies")]
    return "streams", f"all are there; {waiting} replies wait to be written", ""


def _workers(
    beats: dict[str, Beat], seconds: float, *, clock: Callable[[], float] = time.monotonic
) -> Iterator[tuple[str, str, str]]:
    deadline = clock() + seconds
    while clock() < deadline and not any(beat.parked for beat in beats.values()):
        time.sleep(0.1)
    for name, beat in sorted(beats.items()):
        frameworks = ", ".join(beat.capabilities.frameworks) or "all frameworks"
        state = f"{beat.parked} boxes are warm" if beat.parked else "warming up"
        yield "worker", f"{name}: {beat.slots} threads, {frameworks}, judges {len(beat.held)}, {state}", ""
    if not beats:
        remedy = "Start ./lectern worker with LECTERN_QUEUE; if one runs, look at its log."
        yield "worker", f"none was heard of in {seconds:.0f} s", remedy

"""Wait until a broker has taken in what its clients listen to."""

import asyncio

from app.queue.nats import Broker
from tests.waiting import LIMIT_SECONDS


def until_listening(*brokers: Broker) -> None:
    """A subscription is a message too, and so is its end: what is sent before it has arrived goes to others."""
    for broker in brokers:
        flush = broker._client.flush(round(LIMIT_SECONDS))
        asyncio.run_coroutine_threadsafe(flush, broker._loop).result(LIMIT_SECONDS)

"""The strongest asyncio worker we could write: hundreds of jobs share one lookup, one COPY and one multiple ack.

It reads with aiormq, the layer below aio-pika, which costs less for each message, and keeps two batches in flight so
that one is prepared while the other is recorded. Acks go out in the order of the batches: a multiple ack covers what
came before it. Runs until ended.
"""

import asyncio
from collections import deque
from datetime import datetime, timezone

import aiormq
import asyncpg
import uvloop
from orjson import loads

from shared import AMQP_URL, COLUMNS, DATABASE_URL, QUEUE, deliver, notification_number

PREFETCH = 2000
BATCH = 500
LANES = 2
LOOKUP = """
    select wanted.number, device.id, device.platform, device.token
    from unnest($1::text[]) with ordinality as wanted(tag, number)
    join lateral (select id, platform, token from opponent.device where tags @> array[wanted.tag]) as device on true"""


class Inbox:
    """Messages that have arrived; a taker gets what is there, without waiting for company."""

    def __init__(self):
        self.messages = deque()
        self.arrived = asyncio.Event()

    async def put(self, message):
        self.messages.append(message)
        self.arrived.set()

    async def take(self):
        while not self.messages:
            self.arrived.clear()
            await self.arrived.wait()
        count = min(BATCH, len(self.messages))
        return [self.messages.popleft() for _ in range(count)]


async def record(database, batch):
    jobs = [loads(message.body) for message in batch]
    numbers = [notification_number(job) for job in jobs]
    now = datetime.now(timezone.utc)
    rows = []
    for position, *device in await database.fetch(LOOKUP, [job["to"]["tags"] for job in jobs]):
        rows.extend(deliver(jobs[position - 1], numbers[position - 1], [device], now))
    await database.copy_records_to_table("delivery", schema_name="opponent", records=rows, columns=COLUMNS)


async def lane(channel, inbox, turns):
    database = await asyncpg.connect(DATABASE_URL)
    loop = asyncio.get_running_loop()
    while True:
        batch = await inbox.take()
        # Taking and queueing up happen without a pause in between, so the turns are in the order of the batches.
        before, turns[0] = turns[0], loop.create_future()
        mine = turns[0]
        await record(database, batch)
        await before
        await channel.basic_ack(batch[-1].delivery_tag, multiple=True)
        mine.set_result(None)


async def main():
    broker = await aiormq.connect(AMQP_URL)
    channel = await broker.channel()
    await channel.basic_qos(prefetch_count=PREFETCH)
    inbox = Inbox()
    first = asyncio.get_running_loop().create_future()
    first.set_result(None)
    turns = [first]
    await channel.basic_consume(QUEUE, inbox.put)
    await asyncio.gather(*(lane(channel, inbox, turns) for _ in range(LANES)))


uvloop.run(main())

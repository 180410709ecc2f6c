"""The usual asyncio worker: a lookup, a transaction and an ack for each job; many jobs in flight. Runs until ended."""

import asyncio
from datetime import datetime, timezone

import aio_pika
import asyncpg
import uvloop
from orjson import loads

from shared import AMQP_URL, DATABASE_URL, QUEUE, deliver, notification_number

PREFETCH = 200
CONNECTIONS = 10
LOOKUP = "select id, platform, token from opponent.device where tags @> array[$1]"
RECORD = """
    insert into opponent.delivery
        (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts, ambiguous)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing"""


async def main():
    pool = await asyncpg.create_pool(DATABASE_URL, min_size=CONNECTIONS, max_size=CONNECTIONS)
    broker = await aio_pika.connect(AMQP_URL)
    channel = await broker.channel()
    await channel.set_qos(prefetch_count=PREFETCH)
    queue = await channel.get_queue(QUEUE)

    async def handle(message):
        job = loads(message.body)
        async with pool.acquire() as database:
            devices = await database.fetch(LOOKUP, job["to"]["tags"])
            rows = list(deliver(job, notification_number(job), devices, datetime.now(timezone.utc)))
            # One implicit transaction for all rows of the job.
            await database.executemany(RECORD, rows)
        await message.ack()

    await queue.consume(handle)
    await asyncio.Event().wait()


uvloop.run(main())

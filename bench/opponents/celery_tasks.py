"""Celery with its documented settings for many short tasks: late acks, prefetching prefork children, no results.

  celery -A celery_tasks worker …      the worker
  python celery_tasks.py < LINES       publishes each line as a task
"""

import json
import sys
from datetime import datetime, timezone

import psycopg
from celery import Celery

from shared import AMQP_URL, DATABASE_URL, deliver, notification_number

LOOKUP = "select id, platform, token from opponent.device where tags @> array[%s]"
RECORD = """
    insert into opponent.delivery
        (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts, ambiguous)
    values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing"""

app = Celery("celery_tasks", broker=AMQP_URL)
app.conf.update(
    task_default_queue="celery.push",
    task_default_queue_type="quorum",
    task_default_exchange_type="topic",
    task_default_delivery_mode=2,
    task_acks_late=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=100,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
)

_database = None


def database():
    """One connection for each prefork child, opened by its first task."""
    global _database
    if _database is None:
        _database = psycopg.connect(DATABASE_URL, autocommit=True)
    return _database


@app.task(name="push")
def push(job):
    with database().cursor() as cursor:
        devices = cursor.execute(LOOKUP, (job["to"]["tags"],), prepare=True).fetchall()
        rows = list(deliver(job, notification_number(job), devices, datetime.now(timezone.utc)))
        with database().transaction():
            cursor.executemany(RECORD, rows)


if __name__ == "__main__":
    with app.producer_or_acquire() as producer:
        for line in sys.stdin:
            push.apply_async((json.loads(line),), producer=producer)

"""The invariants about tables and processes: ledgers, facts, leases, sessions, memory, logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import queues
from process import wait_until
from verdict import Verdict

if TYPE_CHECKING:
    from stage import Stage

SESSIONS_PER_WORKER = 14
SESSIONS_BESIDE = 40  # of the API, of this campaign, of the server itself
MOST_DESCRIPTORS = 400
MOST_KILOBYTES = 600_000

# Each statement answers what is wrong, one row for each case.
WRONG = {
    "the ledger of progress and the deliveries differ": """
        with counted as (
            select notification_id, state, sum(delta) as count from dispatcher.progress where state < 10 group by 1, 2
        ), rows as (select notification_id, state, count(*) as count from dispatcher.delivery group by 1, 2)
        select coalesce(c.notification_id, r.notification_id), coalesce(c.state, r.state), c.count, r.count
        from counted c full join rows r using (notification_id, state)
        where coalesce(c.count, 0) <> coalesce(r.count, 0) limit 20""",
    "the ledger of receipts and the readings differ": """
        with counted as (
            select notification_id, sum(delta) as count from dispatcher.progress where state = 12 group by 1
        ), rows as (
            select notification_id, count(*) as count from dispatcher.reading where displayed_at is not null group by 1
        )
        select coalesce(c.notification_id, r.notification_id), c.count, r.count
        from counted c full join rows r using (notification_id)
        where coalesce(c.count, 0) <> coalesce(r.count, 0) limit 20""",
    "deliveries wait and nothing will bring them back": """
        select d.notification_id, d.installation_id from dispatcher.delivery d
        where d.state = 1 and not exists (
            select from dispatcher.retry r
            where r.notification_id = d.notification_id and r.installation_id = d.installation_id)
          and not exists (select from dispatcher.batch b where d.notification_id = any (b.notification_ids))
        limit 20""",
    "retries of what has ended": """
        select r.notification_id, r.installation_id from dispatcher.retry r
        join dispatcher.delivery d using (notification_id, installation_id) where d.state <> 1 limit 20""",
    "work belongs to nobody who lives": """
        select b.id from dispatcher.batch b
        where b.worker_id is not null and not exists (
            select from dispatcher.worker w where w.id = b.worker_id and w.lease_until > now() - interval '30 s')
        limit 20""",
    "deliveries to devices of another hub": """
        select d.notification_id, d.installation_id from dispatcher.delivery d
        join dispatcher.notification n on n.id = d.notification_id
        join dispatcher.installation i on i.id = d.installation_id
        where i.hub_id <> n.hub_id limit 20""",
    "rows outside of every day": "select notification_id from dispatcher.delivery_default limit 20",
    "idle in a transaction": """
        select pid, query from pg_stat_activity
        where state like 'idle in transaction%' and state_change < now() - interval '5 s' and datname = current_database()""",
}


def check_tables(stage: Stage, verdict: Verdict, may_differ: bool) -> None:
    for sentence, sql in WRONG.items():
        if rows := stage.database.rows(sql):
            verdict.complain(sentence, (" ".join(row) for row in rows))
    open_letters = int(stage.database.value("select count(*) from dispatcher.dead_letter where is_open"))
    in_queue = queues.ready(stage.broker.url, "push.dead") or 0
    if in_queue > open_letters and may_differ:
        # A letter whose worker ended before it had noted the confirm lies there twice until they are made to agree.
        # What it has looked at and left is ready again when the broker has noticed that its connection has gone.
        stage.command("dead-letters", "collect")
        wait_until(lambda: queues.ready(stage.broker.url, "push.dead") == open_letters, 10)
        in_queue = queues.ready(stage.broker.url, "push.dead") or 0
    if in_queue != open_letters:
        verdict.complain(f"push.dead has {in_queue} messages, and {open_letters} letters are open")
    if lost := queues.ready(stage.broker.url, "push.unroutable"):
        verdict.complain(f"push.unroutable has {lost} messages")


def check_receipts(stage: Stage, verdict: Verdict) -> None:
    """Every confirmed receipt is a row, and every device has its last registration."""
    receipts = set(stage.load.receipts)
    if receipts:
        ids = ",".join(f"'{receipt}'" for receipt in receipts)
        found = {row[0] for row in stage.database.rows(f"select receipt_id from dispatcher.receipt where receipt_id in ({ids})")}
        if receipts - found:
            verdict.complain("confirmed receipts are lost", receipts - found)
    devices = {device.id: device for device in stage.population.devices}
    wrong = []
    for row in stage.database.rows("select installation_id, array_to_string(tags, ' ') from dashboard.installations"):
        revision = next((int(tag.split(":")[1]) for tag in row[1].split() if tag.startswith("revision:")), None)
        device = devices.get(row[0])
        if device and not stage.load.revisions.get(row[0], revision) <= revision <= device.revision:
            wrong.append(f"{row[0]}: revision {revision}, expected {stage.load.revisions[row[0]]}")
    if wrong:
        verdict.complain("registrations are lost or came in another order", wrong)


def check_processes(stage: Stage, verdict: Verdict) -> None:
    """All are alive, and none grows."""
    dead = [place for place in range(len(stage.workers)) if place not in stage.workers.alive()]
    if dead:
        verdict.complain("workers have ended by themselves", dead)
    if not stage.http.process.is_alive():
        verdict.complain("the API has ended by itself")
    most = len(stage.workers) * SESSIONS_PER_WORKER + SESSIONS_BESIDE
    sessions = int(stage.database.value("select count(*) from pg_stat_activity where datname = current_database()"))
    if sessions > most:
        verdict.complain(f"{sessions} database sessions, expected at most {most}")
    for place, process in enumerate([*stage.workers.places, stage.http.process]):
        if process.descriptors() > MOST_DESCRIPTORS or process.resident_kilobytes() > MOST_KILOBYTES:
            verdict.complain(
                f"process {place} has {process.descriptors()} descriptors and {process.resident_kilobytes()} kB"
            )


def check_logs(stage: Stage, verdict: Verdict) -> None:
    """Neither texts of jobs, nor push channels, nor secrets, nor a crash."""
    forbidden = [stage.population.canary, *stage.secrets.values()]
    for path in [*stage.workers.logs(), stage.http.log]:
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if any(word in text for word in forbidden):
            verdict.complain(f"{path.name} has a secret or a payload in it")
        if not stage.may_crash and ("Fatal error" in text or "event=process.crashed" in text):
            verdict.complain(f"{path.name} tells of a crash")

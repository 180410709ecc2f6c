"""Proves that the checks see what they are for: spoils one thing at a time, and undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable

from verdict import Verdict
from witness import Acceptance

if TYPE_CHECKING:
    from stage import Stage

# JOB is a confirmed job for one user, all of whose devices have accepted it.
JOB = "(select id from dispatcher.notification where job_id = '{job}')"
ONE = f"notification_id = {JOB} and installation_id = (select min(installation_id) from dispatcher.delivery where notification_id = {JOB})"

# What is spoiled in the tables, and how the complaint begins.
TABLES = (
    ("delete from dispatcher.notification where job_id = '{job}'", "confirmed and lost"),
    (f"delete from dispatcher.delivery where {ONE}", "audiences and their rows"),
    (f"delete from dispatcher.delivery where {ONE}", "the ledger of progress"),
    (f"update dispatcher.delivery set state = 3, accepted_at = null where {ONE}", "deliveries have ended wrongly"),
    (f"update dispatcher.delivery set state = 3, accepted_at = null where {ONE}", "what had ended has changed"),
    (f"update dispatcher.delivery set state = 1, accepted_at = null, finished_at = null where {ONE}", "deliveries have not ended"),
    (f"update dispatcher.delivery set state = 1, accepted_at = null, finished_at = null where {ONE}", "deliveries wait and"),
    (f"update dispatcher.delivery set attempts = attempts + 1 where {ONE}", "attempts are miscounted"),
    (f"update dispatcher.delivery set is_ambiguous = true where {ONE}", "ambiguous without a reason"),
    ("insert into dispatcher.retry select notification_id, installation_id, now(), 2, 1 from dispatcher.delivery"
     f" where {ONE}", "retries of what has ended"),
    (f"insert into dispatcher.delivery select {JOB}, i.id, now(), now(), 2, 1, 1, false, null"
     " from dispatcher.installation i join dispatcher.hub h on h.id = i.hub_id"
     " where h.name = 'side' and i.retired_at is null order by i.id limit 1", "deliveries to devices of another hub"),
    ("insert into dispatcher.batch (worker_id, lane, notification_ids, audience_sizes, installation_ids)"
     f" values (0, 1, array[{JOB}], array[1], array[1])", "work belongs to nobody"),
    ("delete from dispatcher.dead_letter where message_id = '{poison}'", "dead letters are missing"),
    ("update dispatcher.dead_letter set message_id = '{job}' where message_id = '{poison}'", "dead letters that nobody meant"),
    ("update dispatcher.dead_letter set published_at = null where message_id = '{poison}'", "dead letters without a message"),
    ("delete from dispatcher.receipt where receipt_id = '{receipt}'", "confirmed receipts are lost"),
    ("update dispatcher.reading set displayed_at = null where displayed_at is not null", "the ledger of receipts"),
    ("update dispatcher.installation set tags = array['revision:0'] where installation_id = '{device}'", "registrations are lost"),
)  # fmt: skip


@dataclass
class Tampering:
    """Spoils, judges, undoes."""

    stage: Stage
    judge: Callable[[Stage, Verdict], None]

    def unseen(self) -> list[str]:
        """What was spoiled and not complained of."""
        names = self._names()
        unseen = [sentence for sql, sentence in TABLES if not self._is_seen_in_tables(sql.format(**names), sentence)]
        witness, job = self.stage.witness, names["job"]
        first = witness.by_job[job][0]
        with_more, with_less = [*witness.by_job[job], first], witness.by_job[job][1:]
        unseen += [] if self._is_seen_at_gateway(job, with_more, "accepted twice") else ["accepted twice"]
        unseen += [] if self._is_seen_at_gateway(job, with_less, "accepted by the tables") else ["accepted by nobody"]
        unseen += [] if self._is_seen_at_gateway("nobody's", [first], "pushes of jobs") else ["pushes of nobody's jobs"]
        return unseen

    def _names(self) -> dict[str, str]:
        load = self.stage.load
        well = {device.id for device in self.stage.population.devices if device.script == "ok" and not device.is_denied}
        job = next(job for job in load.jobs if job.kind == "single" and job.hub == "default" and job.audience <= well)
        poison = next(job for job in load.jobs if job.kind == "poison")
        return {"job": job.id, "poison": poison.id, "receipt": next(iter(load.receipts)), "device": next(iter(load.revisions))}

    def _is_seen_in_tables(self, sql: str, sentence: str) -> bool:
        """All questions go through one session, so what is spoiled in a transaction is seen by them and by nobody else."""
        database = self.stage.database
        database.rows("begin")
        try:
            database.rows(sql)
            return self._complains(sentence)
        finally:
            database.rows("rollback")

    def _is_seen_at_gateway(self, job: str, pushes: list[Acceptance], sentence: str) -> bool:
        witness = self.stage.witness
        before = witness.by_job.get(job)
        witness.by_job[job] = pushes
        try:
            return self._complains(sentence)
        finally:
            witness.by_job.pop(job)
            if before is not None:
                witness.by_job[job] = before

    def _complains(self, sentence: str) -> bool:
        verdict = Verdict("tampering", (), 1)
        self.judge(self.stage, verdict)
        return any(wrong.startswith(sentence) for wrong in verdict.wrong)

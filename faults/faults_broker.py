"""A single RabbitMQ that restarts, dies, freezes, is full, or is administered under the workers' feet."""

from __future__ import annotations

import time
from random import Random

from fault import Fault, fault
from lasting import Lasting
from load import Load
from process import wait_until
from stage import Stage
from urls import with_login

LOGIN = ("hub", "first")
WORK_QUEUES = ("push.batches.high", "push.batches.normal", "push.batches.bulk")


class BrokerFault(Lasting):
    """None of these is a reason to give a message back twice or to acknowledge what is not ours any more."""

    def check(self, stage: Stage) -> list[str]:
        wrong = super().check(stage)
        if any("unknown delivery tag" in stage.broker.log(node) for node in stage.broker.nodes):
            wrong.append("a delivery was acknowledged on another channel than its own")
        return wrong


@fault
class Restart(BrokerFault):
    """RabbitMQ is restarted."""

    name = "broker-restart"
    reference = ("F3",)
    seconds = 0
    expected = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.restart()


@fault
class Kill(BrokerFault):
    """RabbitMQ is killed, and is away for a while."""

    name = "broker-kill"
    reference = ("F3",)
    seconds = 0
    expected = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.kill()
        time.sleep(dice.uniform(0, 5))
        stage.broker.start()


@fault
class LongOutage(BrokerFault):
    """RabbitMQ is away for longer than any pause between two tries."""

    name = "broker-away"
    reference = ("F3", "F9")
    seconds = 50
    rate = 10

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.stop()

    def heal(self, stage: Stage) -> None:
        stage.broker.start()


@fault
class Frozen(BrokerFault):
    """RabbitMQ answers nothing for longer than two heartbeats, and its kernel still acknowledges."""

    name = "broker-frozen"
    reference = ("F6",)
    seconds = 40
    rate = 10

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.freeze()

    def heal(self, stage: Stage) -> None:
        stage.broker.thaw()


class Alarm(BrokerFault):
    """Those who publish are not read any more; what is there already is still consumed."""

    reference = ("F7",)
    seconds = 40
    rate = 15
    kind = ""

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.alarm(self.kind)

    def heal(self, stage: Stage) -> None:
        stage.broker.clear_alarm(self.kind)


@fault
class DiskAlarm(Alarm):
    """RabbitMQ has too little disk left and blocks publishers."""

    name = "broker-disk-alarm"
    kind = "disk"


@fault
class MemoryAlarm(Alarm):
    """RabbitMQ has too little memory left and blocks publishers."""

    name = "broker-memory-alarm"
    kind = "memory"


@fault
class QueuesDeleted(BrokerFault):
    """The queues of batches are deleted with what is in them, and made again some seconds later."""

    name = "broker-queues-deleted"
    reference = ("F8",)
    rate = 40

    def begin(self, stage: Stage, dice: Random) -> None:
        for queue in WORK_QUEUES:
            stage.broker.delete_queue(queue)
        time.sleep(dice.uniform(0, self.seconds))
        stage.broker.import_definitions()


@fault
class FullQueuesDeleted(QueuesDeleted):
    """The same while many batches wait in them: their rows are in the database, and announced again."""

    name = "broker-full-queues-deleted"
    seconds = 5

    def environment(self, stage: Stage) -> dict[str, str]:
        return {"DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:4000ms"}

    def add_jobs(self, stage: Stage, load: Load) -> None:
        load.jobs[20:20] = crowd = [load.maker.make("broadcast") for _ in range(20)]
        load.by_id |= {job.id: job for job in crowd}

    def begin(self, stage: Stage, dice: Random) -> None:
        wait_until(lambda: stage.unfinished() > 20, 10)
        super().begin(stage, dice)


@fault
class JobQueueDeleted(BrokerFault):
    """The queue of jobs is deleted and made again while it is empty: consumers have to notice."""

    name = "broker-job-queue-deleted"
    reference = ("F8",)
    seconds = 4

    def prepare(self, stage: Stage) -> None:
        stage.broker.delete_queue("push.jobs.normal")
        time.sleep(1)
        stage.broker.import_definitions()

    def begin(self, stage: Stage, dice: Random) -> None:
        """It has begun before the load."""


@fault
class ExchangeMissing(BrokerFault):
    """The exchange of batches is deleted, and made again some seconds later."""

    name = "broker-exchange-missing"
    reference = ("F9",)

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.delete_exchange("push.work")

    def heal(self, stage: Stage) -> None:
        stage.broker.import_definitions()


@fault
class EventsMissing(BrokerFault):
    """The exchange of events is deleted, and made again some seconds later: pushes go on."""

    name = "broker-events-missing"
    reference = ("F9",)

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.delete_exchange("push.events")

    def heal(self, stage: Stage) -> None:
        stage.broker.import_definitions()


@fault
class DeadLettersMissing(BrokerFault):
    """The exchange of dead letters is deleted for longer than a wave may look abandoned: its other jobs wait, unharmed."""

    name = "broker-dead-letters-missing"
    reference = ("F9",)
    seconds = 40
    rate = 15

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.delete_exchange("push.dlx")

    def heal(self, stage: Stage) -> None:
        stage.broker.import_definitions()


class LoginFault(BrokerFault):
    """Workers and API have a login of their own, which load and campaign do not use."""

    reference = ("F9",)
    seconds = 20

    def environment(self, stage: Stage) -> dict[str, str]:
        stage.broker.add_user(*LOGIN)
        return {"DISPATCHER_AMQP_URL": with_login(stage.broker.url, stage.proxies.amqp.port, *LOGIN)}

    def heal(self, stage: Stage) -> None:
        stage.broker.add_user(*LOGIN)


@fault
class PermissionRevoked(LoginFault):
    """The workers' login may do nothing any more, for a while."""

    name = "broker-permission-revoked"

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.set_permissions(LOGIN[0], "^$", "^$", "^$")
        stage.broker.close_connections()


@fault
class PasswordChanged(LoginFault):
    """The workers' login has another password, for a while."""

    name = "broker-password-changed"

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.change_password(LOGIN[0], "second")
        stage.broker.close_connections()


@fault
class WrongType(Fault):
    """A queue is there under its name and of another type: it is named, and not touched."""

    name = "broker-queue-of-another-type"
    reference = ("F10",)
    needs = ("proxies",)
    jobs = 100

    def prepare(self, stage: Stage) -> None:
        self.wrong: list[str] = []
        stage.broker.delete_queue("push.receipts")
        stage.broker.declare_classic_queue("push.receipts")
        answer = stage.command("doctor", check=False)
        text = answer.stdout + answer.stderr
        if answer.returncode == 0 or "push.receipts" not in text:
            self.wrong.append(f"doctor does not name the queue: {text[-500:]}")
        if "push.receipts" not in stage.broker.queues():
            self.wrong.append("somebody has deleted the queue of the wrong type")
        stage.broker.delete_queue("push.receipts")
        stage.broker.import_definitions()

    def strike(self, stage: Stage, dice: Random) -> None:
        stage.load.wait_for_share(0.5)

    def check(self, stage: Stage) -> list[str]:
        return self.wrong


@fault
class ConsumerTimeout(BrokerFault):
    """The broker takes back what is not acknowledged within a minute, and the gateway needs longer."""

    name = "broker-consumer-timeout"
    reference = ("F11",)
    ambiguous = True
    may_be_unfinished = True
    seconds = 130
    rate = 1
    patience = 400
    heal_patience = 90  # the gateway's own time

    def environment(self, stage: Stage) -> dict[str, str]:
        stage.broker.set_consumer_timeout(60_000)
        return {
            "DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:90000ms", "DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "100",
        }  # fmt: skip

    def begin(self, stage: Stage, dice: Random) -> None:
        """Time is all it takes."""

    def check(self, stage: Stage) -> list[str]:
        wrong = super().check(stage)
        if "PRECONDITION_FAILED - delivery acknowledgement" in stage.broker.log():
            wrong.append("the broker has taken deliveries back")
        return wrong

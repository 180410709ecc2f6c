"""Three RabbitMQ nodes of which one or two are lost, or cannot hear each other."""

from __future__ import annotations

import time
from random import Random

from fault import fault
from faults_broker import BrokerFault
from stage import Stage

TICK = 8


class ClusterFault(BrokerFault):
    """What was confirmed is on two nodes at least."""

    needs = ("cluster", "proxies")
    seconds = 15


@fault
class LeaderKilled(ClusterFault):
    """The node that leads a queue of jobs is killed, and comes back."""

    name = "cluster-leader-killed"
    reference = ("F4",)

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.kill(stage.broker.leader("push.jobs.normal"))

    def heal(self, stage: Stage) -> None:
        stage.broker.start()


@fault
class NoMajority(ClusterFault):
    """The leader is killed, then another node freezes: there is no majority, until both are back."""

    name = "cluster-without-majority"
    reference = ("F4",)
    seconds = 30
    expected = 60

    def begin(self, stage: Stage, dice: Random) -> None:
        leader = stage.broker.leader("push.jobs.normal")
        stage.broker.kill(leader)
        time.sleep(dice.uniform(2, 6))
        stage.broker.freeze(dice.choice([node for node in stage.broker.nodes if node != leader]))

    def heal(self, stage: Stage) -> None:
        for node in stage.broker.nodes:
            stage.broker.thaw(node)
        stage.broker.start()


@fault
class NodeFrozen(ClusterFault):
    """The node that the workers use freezes for longer than two heartbeats."""

    name = "cluster-node-frozen"
    reference = ("F4", "F6")
    seconds = 40

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.freeze(1)

    def heal(self, stage: Stage) -> None:
        stage.broker.thaw(1)


@fault
class Partition(ClusterFault):
    """The node that the workers use hears the others no more; it pauses, and they go to another."""

    name = "cluster-partition"
    reference = ("F5",)
    seconds = 40

    def prepare(self, stage: Stage) -> None:
        stage.broker.set_tick_time(TICK)

    def begin(self, stage: Stage, dice: Random) -> None:
        stage.broker.partition(1)

    def heal(self, stage: Stage) -> None:
        stage.broker.rejoin()


@fault
class RollingRestart(ClusterFault):
    """One node after the other is restarted, as for an upgrade."""

    name = "cluster-rolling-restart"
    reference = ("F3", "F4")
    seconds = 0
    expected = 60

    def begin(self, stage: Stage, dice: Random) -> None:
        for node in dice.sample(list(stage.broker.nodes), len(stage.broker.nodes)):
            stage.broker.restart(node)

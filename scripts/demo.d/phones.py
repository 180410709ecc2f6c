"""The demo's second half: phones that play S1 to S9 against the HTTP API and the broker."""

import scenarios
from funnel import Funnel
from world import World


def play(address, key, database, channel, witness):
    """Answers whether every figure is exact."""
    world = World(address, key, database, channel, witness)
    scenarios.register(world)
    scenarios.s4_answers(world)
    scenarios.s8_permission(world)
    scenarios.s9_data(world)
    world.gateway.close()
    funnel = Funnel(world)
    funnel.wait()
    funnel.show()
    print("\nExpected against found")
    world.check("facts that the phones looked at themselves", world.facts, world.facts - len(world.differences))
    return funnel.run()

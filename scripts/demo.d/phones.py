"""The demo's second half: phones that play S1 to S12 against the HTTP API and the broker."""

import answers
import basics
import content
import crowd
import forms
import inbox
import schedule
from events import Events
from funnel import Funnel
from world import World

SCENARIOS = [
    content.s1_rich_content, content.s2_attachments, answers.s3_buttons, answers.s4_answers, answers.s5_changing_buttons,
    inbox.s6_threads, inbox.s7_badges, basics.s8_permission, basics.s9_data,
    forms.s10_templates, schedule.s11_schedule, crowd.s12_crowd,
]  # fmt: skip


def play(program, address, key, database, channel, witness):
    """Answers whether every figure is exact."""
    world = World(program, address, key, database, channel, witness)
    events = Events(channel, world.hub)
    basics.register(world)
    answers.declare(world)
    for scenario in SCENARIOS:
        scenario(world)
    funnel = Funnel(world, events)
    funnel.wait()
    funnel.show()
    print("\nExpected against found")
    world.check("facts that the phones looked at themselves", world.facts, world.facts - len(world.differences))
    world.gateway.close()
    return funnel.run()

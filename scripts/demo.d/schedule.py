"""S11: at a time, by each phone's own clock, changed and listed until it is sent, cancelled, expired."""

import datetime

from basics import wait_until

ZONES = {"alice-iphone": "Asia/Tokyo", "bob-laptop": "Etc/UTC", "dave-pixel": "Pacific/Midway"}


def moment(seconds, suffix="Z"):
    """So many seconds from now, by the clock of UTC."""
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return at.strftime("%Y-%m-%dT%H:%M:%S") + suffix


def s11_schedule(world):
    phones = [world.phones[name] for name in ZONES]
    for phone in phones:
        patch = [{"op": "add", "path": "/timeZone", "value": ZONES[phone.id]}]
        headers = {"Content-Type": "application/json-patch+json"}
        phone.http.request("PATCH", f"/api/installations/{phone.id}", patch, headers=headers).expect(200)
    clocks = by_clocks(world, phones)
    ended = expiring(world, phones)
    changed(world)
    for phone in phones[:2]:
        phone.display(phone.receive(clocks))
    begun = world.database.rows(f"""
        SELECT zones, state FROM dashboard.local_times WHERE notification_id = '{clocks}' ORDER BY due_at""")
    expected = [["{Asia/Tokyo}", "begun"], ["{Etc/UTC}", "begun"], ["{Pacific/Midway}", "waiting"]]
    world.same("S11 zones that have begun", expected, begun)
    world.same("S11 answer to the cancel", 202, world.backend.request("DELETE", f"/api/jobs/{clocks}").status)
    wait_until(lambda: state(world, ended) == "completed")
    world.same("S11 state after the cancel", "cancelled", state(world, clocks))
    world.story("S11", "when Tokyo's and London's clocks showed the time, cancelled for Midway; one changed, one cancelled, one expired")


def by_clocks(world, phones):
    """In Tokyo the time is past, in London it comes in a moment, in Midway much later: that is cancelled before."""
    options = {"timeZone": "device", "sendAt": moment(2, ""), "inbox": False}
    to = {"installations": [phone.id for phone in phones]}
    return world.send("S11", to, {"title": "Good evening"}, phones[:2], options, keeps=False)


def expiring(world, phones):
    """An hour later by the phones' clocks, but over before Midway's show it."""
    early, _, late = phones
    options = {"timeZone": "device", "sendAt": moment(3600, ""), "expiresAt": moment(3), "inbox": False}
    to = {"installations": [early.id, late.id]}
    expired = {late.platform: ("expired", "Expired")}
    return world.send("S11", to, {"title": "Only today"}, [early, late], options, outcomes=expired, keeps=False)


def changed(world):
    """Two that wait for an hour: one gets other words and a nearer time, one is cancelled."""
    phone = world.phones["carol-iphone"]
    to = {"installations": [phone.id]}
    later = {"sendAt": moment(3600)}
    waiting = world.send("S11", to, {"title": "Later"}, [phone], later, by="http")
    dropped = world.send("S11", to, {"title": "Never"}, [], later, by="http")
    wait_until(lambda: {waiting, dropped} <= scheduled(world))
    now = {"to": to, "content": {"title": "Sooner, in better words"}, "options": {"sendAt": moment(1), "priority": "high"}}
    world.same("S11 answer to the change", 202, world.backend.put(f"/api/jobs/{waiting}", now).status)
    world.same("S11 answer to the cancel", 202, world.backend.request("DELETE", f"/api/jobs/{dropped}").status)
    push = phone.receive(waiting)
    world.same("S11 words after the change", "Sooner, in better words", push.aps["alert"]["title"])
    phone.open(push)
    world.same("S11 what still waits", set(), {waiting, dropped} & scheduled(world))


def scheduled(world):
    return {job["id"] for job in world.backend.get("/api/jobs?state=scheduled").expect(200).json()["jobs"]}


def state(world, job):
    return world.database.rows(f"SELECT state FROM dashboard.notifications WHERE id = '{job}'")[0][0]

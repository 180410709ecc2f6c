"""S6 and S7: conversations, what of them is unread, and the number on the icon."""

import subprocess
from collections import Counter


def s6_threads(world):
    """Messages of friends in threads, a reminder outside of any; read one by one and a whole thread at once."""
    phones = world.of("alice")
    jobs = {}
    for friend, texts in {"bob": ["Hi", "Are you there?", "Lunch?"], "carol": ["Photos!", "More photos!"]}.items():
        thread = f"message-{friend}"
        for text in texts:
            content = {"title": friend, "body": text, "thread": thread, "summary": {"argument": friend}}
            jobs[text] = world.send("S6", {"users": ["alice"]}, content, phones, by="http", thread=thread)
    jobs["reminder"] = world.send("S6", {"users": ["alice"]}, {"title": "Water the plants"}, phones)
    for text, job in jobs.items():
        for phone in phones:
            push = phone.receive(job)
            if phone.platform == "apns":
                expected = world.ledger.threads["alice", job]
                world.same(f"S6 thread of {text} on {phone.id}", expected, push.aps.get("thread-id"))
            phone.display(push)
    compare(world, "alice", "S6 unread before reading")
    iphone = world.phones["alice-iphone"]
    iphone.open(iphone.receive(jobs["Hi"]))
    compare(world, "alice", "S6 unread after one message")
    iphone.read_thread("message-carol")
    left = compare(world, "alice", "S6 unread after a thread")
    world.story("S6", f"two threads and a reminder; one message and one thread read, {left} unread left, as inbox and SQL say")


def compare(world, user, name):
    """What is unread: by the ledger, by the inbox on one of the user's devices, and by the view. Answers the total."""
    expected = world.ledger.unread(user)
    answer = world.of(user)[0].http.get("/api/inbox?unread=true&limit=200").expect(200).json()
    items = Counter((user, item["thread"]) for item in answer["items"])
    threads = {thread: count for (_, thread), count in expected.items() if thread}
    total = sum(expected.values())
    world.same(name + ", listed", expected, dict(items))
    world.same(name + ", counted", {"total": total, "threads": threads}, answer["unread"])
    world.same(name + ", in SQL", expected, world.unread_in_sql(user))
    return total


def s7_badges(world):
    """The hub counts what each user has not read when it sends; a read on one device changes the others' icons."""
    sync_badges(world, "on")
    phones = world.of("alice") + world.of("bob")
    content = {"title": "News", "body": "Count me.", "badge": "unread"}
    job = world.send("S7", {"users": ["alice", "bob"]}, content, phones)
    badges = {}
    for phone in phones:
        push = phone.receive(job)
        badges[phone.user] = sum(world.ledger.unread(phone.user).values())
        world.same(f"S7 badge on {phone.id}", badges[phone.user], push.badge if phone.platform != "wns" else badges[phone.user])
        phone.display(push)
    for user, badge in badges.items():
        world.same(f"S7 unread of {user} in SQL", badge, sum(world.unread_in_sql(user).values()))
    reader = world.phones["alice-ipad"]
    reader.open(reader.receive(job))
    iphone = world.phones["alice-iphone"]
    push = world.gateway.wait(iphone.id, lambda push: push.badge == badges["alice"] - 1 and push.job not in world.ledger.scenarios)
    world.ledger.sent("S7", push.job, [iphone], keeps=False)
    sync_badges(world, "off")
    world.story("S7", f"badges {badges['alice']} and {badges['bob']} as SQL counts them; read on the tablet, {push.badge} on the phone")


def sync_badges(world, choice):
    """Whether a read on one device changes the icons of the others; off, so that the other scenarios have no pushes of the hub's own."""
    command = [world.program, "hubs", "set", world.hub, "--badge-sync", choice]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

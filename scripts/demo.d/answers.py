"""S3 to S5: buttons that are declared once, answers, and buttons that an answer changes."""

INVITE = {
    "id": "event-invite",
    "actions": [
        {"id": "accept", "title": "Accept", "options": ["foreground"]},
        {"id": "decline", "title": "Decline", "options": ["destructive"]},
        {"id": "comment", "title": "Comment", "input": {"buttonTitle": "Send", "placeholder": "Enter comment here..."}},
    ],
    "options": ["customDismissAction"],
}
RICH = {"id": "richPush", "actions": [{"id": "richPushMore", "title": "More", "options": ["foreground"]}]}

ROTATE = {"id": "rotate-twenty-degrees-action", "title": "Rotate 20°"}
RESET = {"id": "reset-rotation-action", "title": "Reset rotation"}
# The second button comes with the first tap, and goes with the ninth or with itself, after which the taps count from 1 again.
RED = {
    "id": "red-category",
    "actions": [ROTATE],
    "options": ["customDismissAction"],
    "rules": [
        {"on": ROTATE["id"], "to": 1, "since": RESET["id"], "update": {"actions": [ROTATE, RESET]}},
        {"on": ROTATE["id"], "from": 9, "to": 9, "since": RESET["id"], "update": {"actions": [ROTATE]}},
        {"on": RESET["id"], "update": {"actions": [ROTATE]}},
    ],
}
GREEN = RED | {"id": "green-category"}


def declare(world):
    """The back end says once which buttons there are; each app reads it at launch."""
    categories = [INVITE, RICH, RED, GREEN]
    for category in categories:
        world.same("a category is declared", 201, world.backend.put(f"/api/categories/{category['id']}", category).status)
    for phone in world.phones.values():
        world.same(f"unchanged categories on {phone.id}", 304, phone.launch())
    print(f"  {len(categories)} categories of buttons, declared once, read by each app at launch")


def s3_buttons(world):
    """Buttons of a declared category: on Apple's and Google's platforms the app draws them, else they are in the push."""
    phones = world.of("alice") + world.of("bob")
    content = {"title": "Event invite", "body": "Dinner on Friday?", "category": "event-invite"}
    invite = world.send("S3", {"users": ["alice", "bob"]}, content, phones)
    for phone in phones:
        push = phone.receive(invite)
        world.same(f"S3 buttons on {phone.id}", ["accept", "decline", "comment"], phone.buttons(push))
        phone.display(push)
    world.story("S3", f"accept, decline, comment: drawn on {len(phones)} devices of four platforms")


def s4_answers(world):
    """The built-in answers and the app's own, each with a response, over both doors."""
    content = {"title": "Event invite", "body": "Lunch on Monday?", "category": "event-invite"}
    people = ["alice", "bob", "carol"]
    phones = [phone for user in people for phone in world.of(user)]
    invite = world.send("S4", {"users": people}, content, phones, by="http")
    pushes = {phone.id: phone.receive(invite) for phone in phones}
    for phone in phones:
        phone.display(pushes[phone.id])
    on = world.phones
    on["alice-iphone"].press(pushes["alice-iphone"], "accept", "dismissAndForwardAction")
    on["alice-ipad"].dismiss(pushes["alice-ipad"])
    on["alice-browser"].open(pushes["alice-browser"])
    on["bob-pixel"].reply(pushes["bob-pixel"], "comment", "I'll be late — 20:00?")
    on["bob-laptop"].press(pushes["bob-laptop"], "decline", "doNotDismiss")
    on["carol-fire"].reply(pushes["carol-fire"], "comment", "Going!", "dismiss")
    on["carol-mate"].press(pushes["carol-mate"], "accept")
    world.story("S4", "accepted, declined, answered in words, opened and put away on seven devices; one reports over AMQP")


def s5_changing_buttons(world):
    """Nine taps on one phone; two, a reset and one more on another: each change takes the place of what is shown."""
    iphone, ipad = world.phones["alice-iphone"], world.phones["alice-ipad"]
    sent = {}
    for phone, colour in [(iphone, "red"), (ipad, "green")]:
        content = {"title": f"A {colour} square", "body": "Turn it.", "category": f"{colour}-category"}
        sent[phone.id] = world.send("S5", {"installations": [phone.id]}, content, [phone])
    one, two = [ROTATE["id"]], [ROTATE["id"], RESET["id"]]
    for phone, presses in [(iphone, [*one * 9]), (ipad, [ROTATE["id"], RESET["id"], ROTATE["id"]])]:
        shown = phone.receive(sent[phone.id])
        place = shown.headers["apns-collapse-id"]
        world.same("S5 buttons before the first tap", one, phone.buttons(shown))
        for number, action in enumerate(presses, 1):
            phone.press(shown, action, "doNotDismiss")
            changed = {1: two, 9: one} if phone is iphone else {1: two, 2: one, 3: two}
            if number in changed:
                shown = follow_up(world, phone, shown)
                world.same(f"S5 buttons after answer {number} on {phone.id}", changed[number], phone.buttons(shown))
                world.same("S5 place of what is shown", place, shown.headers["apns-collapse-id"])
    world.story("S5", "nine taps, a reset: the second button came and went, in place, by two rules of the category")


def follow_up(world, phone, shown):
    """The next push that takes the place of this one; a job of the hub's own."""
    known = {push.job for push in world.gateway.pushes[phone.id]}
    push = world.gateway.wait(phone.id, lambda push: push.notification == shown.notification and push.job not in known)
    world.ledger.sent("S5", push.job, [phone], keeps=False)
    return push

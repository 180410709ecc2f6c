"""S1 to S9, as the people, their phones and the back end of the demo play them."""

import json
import time

from phone import checksum
from world import BY_MESSAGE, PEOPLE

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
# Beyond what a double can hold: it must arrive digit by digit.
LARGE = 9_007_199_254_740_993


def register(world):
    """Each app registers once: over HTTP, where the answer has the phone's secret, or through a service over AMQP."""
    by_message = []
    for number, phone in enumerate(world.phones.values()):
        document = phone.registration()
        path = f"/api/installations/{phone.id}"
        if phone.id in BY_MESSAGE:
            world.publish("installations", document | {"hub": world.hub, "installationId": phone.id})
            by_message.append(phone)
            continue
        answer = world.backend.put(path, document).expect(201)
        phone.adopt(answer.json()["secret"], by_name=number % 2 == 0)
    for phone in by_message:
        wait_until(lambda phone=phone: world.backend.get(f"/api/installations/{phone.id}").status == 200)
        secret = world.backend.post(f"/api/installations/{phone.id}/secret").expect(201).json()["secret"]
        phone.adopt(secret)
    count = len(world.phones)
    print(f"  {count} phones of {len(PEOPLE)} people on six platforms registered, {len(by_message)} of them over AMQP")


def wait_until(is_so, seconds=15):
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise RuntimeError("waited in vain")
        time.sleep(0.01)


def s3_buttons(world):
    """Categories, declared once, and read by each app at launch."""
    for category in [INVITE, RICH]:
        world.same("S3 a category is declared", 201, world.backend.put(f"/api/categories/{category['id']}", category).status)
    for phone in world.phones.values():
        world.same(f"S3 unchanged categories on {phone.id}", 304, phone.launch())
    phones = world.of("alice") + world.of("bob")
    content = {"title": "Event invite", "body": "Dinner on Friday?", "category": "event-invite"}
    invite = world.send("S3", {"users": ["alice", "bob"]}, content, phones)
    for phone in phones:
        push = phone.receive(invite)
        world.same(f"S3 buttons on {phone.id}", expected_buttons(phone), phone.buttons(push))
        phone.display(push)
    world.story("S3", f"category event-invite, declared once, drawn as buttons on {len(phones)} devices of four platforms")
    return invite, phones


def expected_buttons(phone):
    # A browser has no button that takes text.
    return ["accept", "decline"] if phone.platform == "browser" else ["accept", "decline", "comment"]


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
    # Told again, as after an answer that was lost: it stays one.
    world.story("S4", "accepted, declined, answered in words, opened and put away on seven devices; one reports over AMQP")


def s8_permission(world):
    """Denied: nothing is sent. Provisional: it is, and the system shows it quietly."""
    phones = world.of("dave") + world.of("erin")
    job = world.send("S8", {"users": ["dave", "erin"]}, {"title": "Maintenance tonight"}, phones)
    for phone in phones:
        if phone.permission != "denied":
            phone.display(phone.receive(job))
    # The user changes it in the settings, and the app says so.
    changed = world.phones["dave-iphone"]
    patch = [{"op": "replace", "path": "/permission", "value": "authorized"}]
    headers = {"Content-Type": "application/json-patch+json"}
    changed.http.request("PATCH", f"/api/installations/{changed.id}", patch, headers=headers).expect(200)
    changed.permission = "authorized"
    job = world.send("S8", {"installations": [changed.id]}, {"title": "You allowed this"}, [changed])
    changed.open(changed.receive(job))
    world.story("S8", "a phone that denies notifications is suppressed until its user allows them; a provisional one gets them")


def s9_data(world):
    """Any JSON beside the alert; numbers stay the numbers they are."""
    data = {"location": "Aconcagua", "customNumber": 20, "large": LARGE, "ratio": 0.1, "nested": {"list": [1, 2.5, None, True]}}
    phones = list(world.phones.values())
    job = world.send("S9", {"broadcast": True}, {"title": "A summit", "body": "6,961 m", "data": data}, phones)
    for phone in phones:
        push = phone.receive(job)
        found = {name: push.member(name) for name in data}
        world.same(f"S9 data on {phone.id}", json.dumps(data), json.dumps(found))
        phone.display(push)
    world.phones["carol-iphone"].open(world.phones["carol-iphone"].receive(job))
    world.story("S9", f"customNumber 20 and {LARGE} arrive as integers on {len(phones)} devices of six platforms")

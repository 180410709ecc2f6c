"""S8 and S9, and how the phones come to the hub."""

import json
import time

from world import BY_MESSAGE, PEOPLE

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

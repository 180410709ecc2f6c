"""S1 and S2: content that the phone fetches, by its id or at a signed address."""

import base64

import client
import media


def encoded(content):
    return base64.b64encode(content).decode()


def s1_rich_content(world):
    """A picture is stored once; a silent push wakes the phones, which fetch it by an integer and show it themselves."""
    picture = media.png()
    alice, bob = world.of("alice"), world.of("bob")
    notification = {"to": {"tags": "username:alice || username:bob"}, "message": "Check this image out!", "type": "img"}
    answer = world.backend.upload("/api/notifications", notification, "lake.png", "image/png", picture).expect(202).json()
    world.same("S1 checksum in the answer", media.checksum(picture), answer["checksum"])
    silent = {"browser": ("failed", "vendor-rule")}
    world.ledger.sent("S1", answer["id"], alice + bob, outcomes=silent)
    shown = {}
    for phone in alice + bob:
        if phone.platform == "browser":
            continue
        push = phone.receive(answer["id"])
        world.same(f"S1 message on {phone.id}", "Check this image out!", push.member("richMessage"))
        world.same(f"S1 type on {phone.id}", "img", push.member("richType"))
        world.same(f"S1 id on {phone.id}", int, type(push.member("richId")))
        kind, content = phone.fetch(push)
        world.same(f"S1 content on {phone.id}", ("image/png", media.checksum(picture)), (kind, media.checksum(content)))
        phone.display(push)
        shown[phone.id] = push
    on = world.phones
    world.same("S1 what APNs is told", {"content-available": 1}, shown["alice-iphone"].aps)
    on["alice-iphone"].press(shown["alice-iphone"], "richPushMore", "dismissAndForwardAction")
    on["alice-ipad"].open(shown["alice-ipad"])
    on["bob-pixel"].dismiss(shown["bob-pixel"])
    stranger = on["carol-iphone"].http.get(f"/api/notifications/{answer['id']}")
    world.same("S1 answer to somebody else's phone", 404, stranger.status)
    world.story("S1", f"a picture of {len(picture)} bytes, fetched by richId on {len(shown)} phones with the right checksum")


def s2_attachments(world):
    """Picture, moving picture, sound and film, each fetched by a service extension that has no credentials."""
    phones = world.of("carol")
    fetched = 0
    for kind, content in media.ATTACHMENTS.items():
        job = world.send("S2", {"users": ["carol"]}, {
            "title": "New Photo Available", "body": kind, "attachment": {},
            "rich": {"content": {"type": kind, "data": encoded(content)}},
        }, phones)  # fmt: skip
        for phone in phones:
            push = phone.receive(job)
            address = push.data["my-attachment"]
            answer = client.Client(world.address).get(address.removeprefix(world.public))
            found = (answer.status, answer.headers["Content-Type"], media.checksum(answer.body))
            world.same(f"S2 attachment on {phone.id}", (200, kind, media.checksum(content)), found)
            forged = client.Client(world.address).get(address.removeprefix(world.public)[:-1] + "_")
            world.same("S2 answer to a forged address", 403, forged.status)
            fetched += 1
            phone.display(push)
            if phone.platform == "apns":
                world.same("S2 mutable-content", 1, push.aps.get("mutable-content"))
                phone.open(push)
    world.story("S2", f"{fetched} attachments of {len(media.ATTACHMENTS)} media types fetched at signed addresses, without credentials")

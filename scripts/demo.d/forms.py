"""S10: each app's own form of a notification; the job sends the properties alone."""

# One in Azure's language, two in the extended one.
TEMPLATES = {
    "alice-iphone": {"body": '{"aps":{"alert":{"title":"$(home)","body":"{$(home) + \' \' + $(goals) + \' goals\'}"},"badge":"#(goals)"}}'},
    "bob-pixel": {
        "syntax": "extended",
        "body": '{"message":{"notification":{"title":"$(home) against $(away.name)"},"data":{"goals":"#(goals)"}}}',
    },
    "bob-laptop": {
        "syntax": "extended",
        "body": '<toast><visual><binding template="ToastGeneric"><text>$(away.name:{nobody})</text></binding></visual></toast>',
    },
}  # fmt: skip
PROPERTIES = {"home": "Reds", "goals": 2, "away": {"name": "Blues & Sons"}}


def s10_templates(world):
    """Three apps bring a template, the fourth does not and is told nothing."""
    headers = {"Content-Type": "application/json-patch+json"}
    for name, template in TEMPLATES.items():
        patch = [{"op": "add", "path": "/templates/score", "value": template}]
        world.phones[name].http.request("PATCH", f"/api/installations/{name}", patch, headers=headers).expect(200)
    phones = [world.phones[name] for name in [*TEMPLATES, "carol-mate"]]
    job = world.send(
        "S10", {"installations": [phone.id for phone in phones]}, PROPERTIES, phones, {"templateName": "score"},
        member="template", outcomes={"hms": ("suppressed", "no-template")},
    )  # fmt: skip
    pushes = {name: world.phones[name].receive(job) for name in TEMPLATES}
    apple = pushes["alice-iphone"].aps
    world.same("S10 Azure's language", ({"title": "Reds", "body": "Reds 2 goals"}, 2), (apple["alert"], apple["badge"]))
    google = pushes["bob-pixel"].payload["message"]["notification"]["title"]
    world.same("S10 the extended language", "Reds against Blues & Sons", google)
    windows = [text.text for text in pushes["bob-laptop"].toast.iter("text")]
    world.same("S10 the extended language in XML", ["Blues & Sons"], windows)
    for name, push in pushes.items():
        world.phones[name].display(push)
    world.story("S10", f"one set of properties, {len(TEMPLATES)} templates in two languages; a phone without one is suppressed")

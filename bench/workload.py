"""The devices and the jobs: the same for every contender, the same in every run.

Users have one, two, three, one, two, three … devices, so six devices belong to three users and everything about a
device follows from its number.
"""

import hashlib
import itertools
import json

JOBS_USERS = 10_000
LANGUAGES = ["en", "es", "de", "fr", "pt"]
APNS, FCM = 0, 1
_numbers = itertools.count(1)


def user_of(device):
    block, place = divmod(device, 6)
    return 3 * block + (0, 1, 1, 2, 2, 2)[place]


def devices_of(user):
    return 1 + user % 3


def platform_of(device):
    return FCM if device % 3 == 0 else APNS


def token_of(device):
    return hashlib.sha256(b"%d" % device).hexdigest()


def tags_of(device):
    user = user_of(device)
    return [f"user:{user}", f"segment:{user % 50}", f"lang:{LANGUAGES[user % 5]}", f"app:{device % 7}"]


def write_installations(path, first, last):
    """JSON lines for `dispatcher installations import`, devices first … last - 1."""
    with open(path, "w", encoding="utf-8") as file:
        for device in range(first, last):
            tags = '","'.join(tags_of(device))
            platform = "fcmV1" if platform_of(device) == FCM else "apns"
            file.write(
                f'{{"installationId":"device-{device}","userId":"{user_of(device)}","platform":"{platform}",'
                f'"pushChannel":"{token_of(device)}","tags":["{tags}"]}}\n'
            )


def write_device_rows(path, count):
    """Tab separated rows for the opponents' device table."""
    with open(path, "w", encoding="utf-8") as file:
        for device in range(count):
            tags = ",".join(tags_of(device))
            file.write(f"{device}\t{platform_of(device)}\t{token_of(device)}\t{{{tags}}}\n")


def job(target, priority, options=None):
    """One job as a line of JSON; no two in a run have the same id. `options` answers more of them for its number."""
    number = next(_numbers)
    return json.dumps(
        {
            "id": f"{_run:08x}-0000-7000-8000-{number:012x}",
            "hub": "default",
            "to": target,
            "content": {
                "title": "Match update",
                "body": f"Goal! The score is now {number % 7} to {number % 5} after 63 minutes of play",
            },
            "options": {"priority": priority, **(options(number) if options else {})},
        },
        separators=(",", ":"),
    )


def start_run(number):
    """Chooses the first group of this run's job ids, so that a kept database has not seen them."""
    global _run
    _run = number & 0xFFFFFFFF


def user_jobs(count, priority, options=None):
    """Jobs to one user each, and the number of deliveries that they make."""
    users = [index % JOBS_USERS for index in range(count)]
    return [job({"tags": f"user:{user}"}, priority, options) for user in users], sum(map(devices_of, users))


_run = 0

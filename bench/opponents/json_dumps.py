"""How fast Python writes the APNs payload that `dispatcher bench render` writes: built as a dict, then dumped to bytes.

Prints one JSON object of rates, a number of samples by each encoder, taking turns; by the thread's processor time.
"""

import json
import sys
import time

import orjson


def payload(title, body, badge, data):
    return {
        "aps": {
            "alert": {"title": title, "body": body},
            "badge": badge,
            "sound": "default",
            "category": "event-invite",
            "thread-id": "message-alice",
        },
        "notificationId": "0193f2c4-7d1e-7abc-8def-0123456789ab",
        **data,
    }


def standard(*parts):
    return json.dumps(payload(*parts), separators=(",", ":")).encode()


def fast(*parts):
    return orjson.dumps(payload(*parts))


def rate(encode, seconds):
    parts = ("Event invite", "Dinner on Friday at eight?", 3, {"location": "Aconcagua", "height": 6961})
    count, start = 0, time.thread_time()
    while (elapsed := time.thread_time() - start) < seconds:
        for _ in range(1_000):
            encode(*parts)
        count += 1_000
    return count / elapsed


def main():
    rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
    rates = {"json": [], "orjson": []}
    for _ in range(rounds):
        rates["json"].append(rate(standard, seconds))
        rates["orjson"].append(rate(fast, seconds))
    print(json.dumps(rates))


main()

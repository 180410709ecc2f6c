"""Turns the samples of the benchmark over HTTP into Markdown tables and one JSON object."""

from report import median, spread

LABELS = {
    "ours": "Dispatcher",
    "fastapi": "FastAPI, asyncpg, uvloop",
    "fastapi_two": "FastAPI, 2 processes",
    "pgbench": "pgbench, one a transaction",
    "pgbench_group": "pgbench, 100 a transaction",
}
TITLES = {
    "registrations": "Registrations, new devices",
    "renewals": "Registrations again",
    "receipts": "Receipts",
    "content": "Content of 10 KiB",
    "inbox": "Inbox, first page",
}


def summary(results):
    """Medians by work and contender, and all samples."""
    answer = {}
    for work, contenders in results.items():
        members = {member for samples in contenders.values() for sample in samples for member in sample}
        answer[work] = {
            key: {member: round(median(samples, member), 2) for member in sorted(members) if member in samples[0]}
            for key, samples in contenders.items()
        }
    return answer | {"samples": results}


def markdown(results):
    parts = [table(work, contenders) for work, contenders in results.items() if work in TITLES and contenders]
    if results.get("connections"):
        parts.append(connections(results["connections"]))
    return "\n".join(parts)


def table(work, contenders):
    base = median(contenders["ours"], "rate")
    rows = [f"| {TITLES[work]} | a second, median | range | p50 ms | p99 ms | CPU µs each | Dispatcher is |"]
    rows.append("|---|--:|--:|--:|--:|--:|--:|")
    for key, samples in contenders.items():
        rate = median(samples, "rate")
        ratio = "" if key == "ours" else f"{base / rate:.2f} ×"
        cells = [f"{median(samples, member):,.{digits}f}" if member in samples[0] else ""
                 for member, digits in (("p50_ms", 1), ("p99_ms", 1), ("cpu_us", 0))]  # fmt: skip
        rows.append("| " + " | ".join([LABELS[key], f"{rate:,.0f}", spread(samples, "rate"), *cells, ratio]) + " |")
    return "\n".join(rows) + "\n"


def connections(contenders):
    rows = ["| 2,000 open connections | MB before | MB when all were used once | MB after a rest |", "|---|--:|--:|--:|"]
    for key, samples in contenders.items():
        members = ("before_mb", "opened_mb", "rested_mb")
        rows.append(f"| {LABELS[key]} | " + " | ".join(f"{median(samples, member):.1f}" for member in members) + " |")
    return "\n".join(rows) + "\n"

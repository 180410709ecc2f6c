"""Turns the times with and without old rows into Markdown tables."""


def percentile(samples, percent):
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] / 1000


def steps(none, old):
    """By step: calls, and milliseconds at p50 and p99 without and with old rows."""
    return {
        step: {
            "calls": len(old[step]),
            "p50_ms": [percentile(none[step], 50), percentile(old[step], 50)],
            "p99_ms": [percentile(none[step], 99), percentile(old[step], 99)],
        }
        for step in none
    }


def markdown(result):
    parts = [sizes(result), times(result), reads(result), work(result)]
    if result["retention"]:
        parts.append(retention(result["retention"]))
    return "\n".join(parts)


def sizes(result):
    total = sum(size for _, size in result["sizes"].values())
    rows = ", ".join(f"{count:,} of {name}" for name, (count, _) in sorted(result["sizes"].items()))
    return f"Old rows: {rows}; {total / 1e9:.1f} GB with indexes. Waiting in both: {result['waiting']:,} jobs and retries.\n"


def times(result):
    old = f"{result['rows']:,}"
    rows = [f"| what a worker asks | calls | p50 ms, 0 | {old} | ratio | p99 ms, 0 | {old} | ratio |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for step, found in result["steps"].items():
        cells = [step, f"{found['calls']:,}"]
        for member in ("p50_ms", "p99_ms"):
            none, old = found[member]
            cells += [f"{none:.2f}", f"{old:.2f}", f"**{old / none:.2f}**"]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def reads(result):
    none, old = result["reads"]
    rows = ["| table | rows a round by scans, 0 | with old rows | by indexes, 0 | with old rows | how |", "|---|--:|--:|--:|--:|---|"]
    for table in old:
        figures = [none[table][0], old[table][0], none[table][1], old[table][1]]
        if any(figure >= 0.5 for figure in figures):
            ways = ", ".join(result["plans"].get(table, []))
            rows.append("| " + " | ".join([table, *(f"{figure:,.0f}" for figure in figures), ways]) + " |")
    return "\n".join(rows) + "\n"


def work(result):
    rows = ["| table | rows written | dead now | autovacuum came | KB |", "|---|--:|--:|--:|--:|"]
    for name, written, dead, count, size in result["work"]:
        rows.append(f"| {name} | {int(written):,} | {int(dead):,} | {count} | {int(size) // 1024:,} |")
    return "\n".join(rows) + "\n"


def retention(found):
    rate = found["notifications"] / found["remove_seconds"]
    return (
        f"Retention: {found['days']} days dropped in {found['drop_seconds'] * 1000:.0f} ms; the longest call beside it took "
        f"{found['longest_ms']:.0f} ms ({found['longest_alone_ms']:.0f} ms without it). A worker removed "
        f"{found['notifications']:,} notifications in {found['remove_seconds']:.0f} s ({rate:,.0f} a second).\n"
    )

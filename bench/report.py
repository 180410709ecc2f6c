"""Turns the samples of a run into a Markdown table, one JSON object and a plot."""

import math
import statistics
from xml.sax.saxutils import escape

LABELS = {
    "ours": "Dispatcher",
    "ours_two": "Dispatcher, 2 workers",
    "asyncio_bulk": "asyncio, in bulk",
    "asyncio_bulk_two": "asyncio, in bulk, 2 processes",
    "asyncio_each": "asyncio, job by job",
    "celery": "Celery, 2 children",
    "c_floor": "C without checks",
    "c_floor_two": "C without checks, 2 processes",
    "copy": "raw COPY, 1 stream",
    "copy_two": "raw COPY, 2 streams",
}
RATES = {"single_user": "jobs_per_second", "broadcast": "rows_per_second"}


def median(samples, member):
    return statistics.median(sample[member] for sample in samples)


def spread(samples, member, digits=0):
    values = [sample[member] for sample in samples]
    return f"{min(values):,.{digits}f} – {max(values):,.{digits}f}"


def summary(results):
    """The object of `--json`: medians by the names that the other tools know, and all samples."""
    answer = {}
    for measure, member in RATES.items():
        if results.get(measure):
            answer[measure] = {key: round(median(samples, member), 1) for key, samples in results[measure].items()}
    if results.get("urgency"):
        answer["urgent_p99_ms"] = {key: round(median(samples, "p99_ms"), 2) for key, samples in results["urgency"].items()}
        answer["urgent_p50_ms"] = {key: round(median(samples, "p50_ms"), 2) for key, samples in results["urgency"].items()}
    if results.get("growth"):
        answer["growth"] = [
            {
                "devices": size,
                "microseconds_per_row": round(median(samples, "microseconds_per_row"), 2),
                "worker_cpu_microseconds_per_row": round(median(samples, "worker_cpu_microseconds_per_row"), 2),
                "rss_mb": round(median(samples, "peak_mb"), 1),
            }
            for size, samples in results["growth"].items()
        ]
    peaks = [sample["peak_mb"] for sample in our_samples(results)]
    if peaks:
        answer["rss_mb"] = round(max(peaks), 1)
    if results.get("idle"):
        answer["idle_cpu"] = round(median(results["idle"], "percent"), 3)
    if results.get("render"):
        answer["render"] = {name: rate for name, _, rate, _ in render_rows(results["render"])}
    answer["samples"] = results
    return answer


def our_samples(results):
    for samples in results.get("growth", {}).values():
        yield from samples
    for measure in RATES:
        for key in ("ours", "ours_two"):
            yield from (sample for sample in results.get(measure, {}).get(key, []) if "peak_mb" in sample)


def markdown(results):
    parts = []
    if results.get("single_user"):
        parts.append(rate_table("One-user jobs", "jobs/s", results["single_user"], "jobs_per_second", "ours"))
    if results.get("broadcast"):
        parts.append(rate_table("Broadcast", "rows/s", results["broadcast"], "rows_per_second", "ours"))
    if results.get("growth"):
        parts.append(growth_table(results["growth"]))
    if results.get("urgency"):
        parts.append(urgency_table(results["urgency"]))
    if results.get("idle"):
        parts.append(f"Idle worker: {median(results['idle'], 'percent'):.2f} % of one core.\n")
    if results.get("render"):
        parts.append(render_table(results["render"]))
    return "\n".join(parts)


def rate_table(title, unit, measure, member, reference):
    base = median(measure[reference], member) if reference in measure else None
    rows = [f"| {title} | {unit}, median | range | Dispatcher is |", "|---|--:|--:|--:|"]
    for key, samples in measure.items():
        value = median(samples, member)
        ratio = f"{base / value:.2f} ×" if base and key != reference else ""
        rows.append(f"| {LABELS[key]} | {value:,.0f} | {spread(samples, member)} | {ratio} |")
    return "\n".join(rows) + "\n"


def growth_table(growth):
    rows = ["| Devices | µs per delivery, median | range | worker CPU µs | worker memory MB |", "|--:|--:|--:|--:|--:|"]
    for size, samples in growth.items():
        rows.append(
            f"| {int(size):,} | {median(samples, 'microseconds_per_row'):.2f} | {spread(samples, 'microseconds_per_row', 2)}"
            f" | {median(samples, 'worker_cpu_microseconds_per_row'):.2f} | {median(samples, 'peak_mb'):.1f} |"
        )
    return "\n".join(rows) + "\n"


def urgency_table(urgency):
    names = {"idle": "alone", "during_broadcast": "during a broadcast"}
    rows = ["| Urgent job, publish to row | p50 ms | p99 ms, median | range |", "|---|--:|--:|--:|"]
    for key, samples in urgency.items():
        p50, p99 = median(samples, "p50_ms"), median(samples, "p99_ms")
        rows.append(f"| {names[key]} | {p50:.1f} | {p99:.1f} | {spread(samples, 'p99_ms', 1)} |")
    return "\n".join(rows) + "\n"


RENDER_LABELS = {"json": "Python, a dict and json.dumps, APNs", "orjson": "Python, a dict and orjson, APNs"}


def render_rows(render):
    """Name, rates in ascending order, median, and the result it comes from, if it is one of ours."""
    for result in render.get("ours", {}).get("results", []):
        name = ", ".join(part for part in (result["work"], result["platform"]) if part)
        yield name, sorted(result["rates"]), result["perSecond"], result
    for key, rates in render["python"].items():
        yield RENDER_LABELS[key], sorted(rates), round(statistics.median(rates)), None


def render_table(render):
    rows = ["| Rendering, one thread | a second, median | range | bytes | allocations | json.dumps takes |"]
    rows.append("|---|--:|--:|--:|--:|--:|")
    reference = statistics.median(render["python"]["json"])
    for name, rates, rate, result in render_rows(render):
        # The same work: an APNs payload from scratch.
        is_alike = result is None or (result["platform"] == "apns" and result["work"] != "a device of a rendered push")
        ratio = f"{rate / reference:.2f} × as long" if is_alike and name != RENDER_LABELS["json"] else ""
        bytes_, allocations = (result["bytes"], result["allocations"]) if result else ("", None)
        cells = [name, f"{rate:,.0f}", f"{rates[0]:,.0f} – {rates[-1]:,.0f}", str(bytes_),
                 "" if result is None else "-" if allocations is None else str(allocations), ratio]  # fmt: skip
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 } .note { fill: #6e7781; font-size: 12px }
.bar { fill: #8c959f } .ours { fill: #f05138 } .range { stroke: #24292f; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #8b949e } .range { stroke: #e6edf3 } }
"""


def plot(results):
    """Horizontal bars on a logarithmic axis: the median as a bar, the range as a line across its end."""
    panels = [
        ("One-user jobs per second", results.get("single_user", {}), "jobs_per_second"),
        ("Broadcast rows per second", results.get("broadcast", {}), "rows_per_second"),
    ]
    body, top = [], 24
    for title, measure, member in panels:
        if measure:
            body.append(f'<text class="title" x="16" y="{top}">{title}</text>')
            bars, top = panel(measure, member, top + 14)
            body.extend(bars)
            top += 30
    body.append(f'<text class="note" x="16" y="{top - 8}">Logarithmic axis; median of the runs, range as a line.</text>')
    size = f'viewBox="0 0 760 {top + 6}" width="760" height="{top + 6}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{STYLE}</style>\n' + "\n".join(body) + "\n</svg>\n"


def panel(measure, member, top):
    values = [sample[member] for samples in measure.values() for sample in samples]
    low, high = 10 ** math.floor(math.log10(min(values))), max(values)

    def place(value):
        return 240 + 430 * math.log(value / low) / math.log(high / low)

    lines = []
    for key, samples in sorted(measure.items(), key=lambda item: -median(item[1], member)):
        value, ends = median(samples, member), sorted(sample[member] for sample in samples)
        kind = "bar ours" if key.startswith("ours") else "bar"
        middle = top + 11
        lines.append(f'<text x="230" y="{top + 15}" text-anchor="end">{escape(LABELS[key])}</text>')
        lines.append(f'<rect class="{kind}" x="240" y="{top + 2}" width="{place(value) - 240:.1f}" height="18" rx="2"/>')
        lines.append(f'<path class="range" d="M{place(ends[0]):.1f} {middle}H{place(ends[-1]):.1f}"/>')
        lines.append(f'<text x="{place(ends[-1]) + 8:.1f}" y="{top + 15}">{value:,.0f}</text>')
        top += 25
    return lines, top

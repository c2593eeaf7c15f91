"""Turns what bench/overhead measured into tables: for people, as CSV and as JSON."""

import csv
import json
import math
import os
import platform
import subprocess

STAGES = ("optimized", "source")


def ratio(run, base, field):
    """A slow-down, or None where something was not measured."""
    if not run or not base or not base[field]:
        return None
    return run[field] / base[field]


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def shown(value, form="{:.2f}"):
    return "–" if value is None else form.format(value)


def machine():
    """What the numbers depend on, without naming the machine."""
    facts = {}
    listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    for row in listing.splitlines():
        name, _, value = row.partition(":")
        facts.setdefault(name.strip(), value.strip())
    model = " ".join(facts[name] for name in ("Vendor ID", "Model name") if facts.get(name, "-") != "-")
    return f"{model or 'unknown CPU'} ({facts.get('Architecture', '?')}), {os.cpu_count()} cores, Linux " \
           f"{platform.release().split('-')[0]}"


def version(*command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        return lines[0].strip() if lines else None
    except FileNotFoundError:
        return None


def figures(result):
    """One program's columns."""
    unrecorded, recorded = result.get("unrecorded") or {}, result.get("recorded") or {}
    plain = unrecorded.get("plain")
    row = {"program": result["program"], "version": result.get("version"),
           "plain_user_s": plain and plain["user"], "plain_wall_s": plain and plain["wall"]}
    for stage in STAGES:
        run, recording = unrecorded.get(stage), recorded.get(stage)
        events = recording and recording["events"]
        row[f"{stage}_events"] = events
        row[f"{stage}_user_slowdown"] = ratio(run, plain, "user")
        row[f"{stage}_wall_slowdown"] = ratio(run, plain, "wall")
        row[f"{stage}_events_per_second"] = events / run["user"] if events and run and run["user"] else None
        row[f"{stage}_record_wall_slowdown"] = ratio(recording, plain, "wall")
        row[f"{stage}_record_ns_per_event"] = recording["wall"] * 1e9 / events if events else None
        row[f"{stage}_record_cpu_ns_per_event"] = (
            (recording["user"] + recording["system"]) * 1e9 / events if events else None)
        row[f"{stage}_record_events_per_second"] = events / recording["wall"] if events else None
        row[f"{stage}_bytes_per_event"] = recording["file_bytes"] / events if events else None
    row["sancov_user_slowdown"] = ratio(unrecorded.get("sancov"), plain, "user")
    row["sancov_wall_slowdown"] = ratio(unrecorded.get("sancov"), plain, "wall")
    row["uftrace_user_slowdown"] = ratio(result.get("uftrace"), plain, "user")
    row["uftrace_wall_slowdown"] = ratio(result.get("uftrace"), plain, "wall")
    row["valgrind_user_slowdown"] = ratio(result.get("valgrind"), plain, "user")
    row["valgrind_wall_slowdown"] = ratio(result.get("valgrind"), plain, "wall")
    return row


def line(result):
    """What is shown while it runs."""
    row = figures(result)
    text = f"{row['program']:11} plain {shown(row['plain_user_s'], '{:.3f}')} s"
    for stage in STAGES:
        text += f"; {stage} {shown(row[f'{stage}_user_slowdown'])}x"
    text += f"; sancov {shown(row['sancov_user_slowdown'])}x"
    return text + (f"; {len(result['failures'])} failures" if result["failures"] else "")


class Report:
    """`command` is what makes it again; `load` how many others wanted the cores, before and after."""

    def __init__(self, results, command, runs, record_runs, load):
        self.results, self.command, self.runs, self.record_runs = results, command, runs, record_runs
        self.load = [round(value, 1) for value in load]
        self.rows = [figures(result) for result in results]
        self.machine = machine()
        self.tools = [name for name in (version("clang-19", "--version"), version("uftrace", "--version"),
                                        version("valgrind", "--version")) if name]

    def mean(self, column):
        return geometric_mean([row[column] for row in self.rows])

    def worst(self, column):
        return max((row[column] for row in self.rows if row[column]), default=None)

    def table(self, head, columns):
        """Rows of programs, then the geometric mean and the worst; a column is a name, a form and a divisor."""
        lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
        summaries = {"geometric mean": self.mean, "worst": self.worst}

        def cells(label, value_of):
            return f"| {label} | " + " | ".join(value_of(column) for column in columns) + " |"

        for row in self.rows:
            lines.append(cells(row["program"], lambda c, row=row: shown(scaled(row[c[0]], c), c[1])))
        for label, summary in summaries.items():
            lines.append(cells(label, lambda c, summary=summary: (
                "" if c[3] == "plain" or (label == "worst" and c[3] == "more is better")
                else shown(scaled(summary(c[0]), c), c[1]))))
        return "\n".join(lines)

    def markdown(self):
        times = "{:.2f}×"
        slowdowns = self.table(
            ["program", "plain, s", "optimized, user", "wall", "source, user", "wall", "sancov, user", "uftrace, user",
             "valgrind, user"],
            [("plain_user_s", "{:.3f}", 1, "plain"),
             ("optimized_user_slowdown", times, 1, ""), ("optimized_wall_slowdown", times, 1, ""),
             ("source_user_slowdown", times, 1, ""), ("source_wall_slowdown", times, 1, ""),
             ("sancov_user_slowdown", times, 1, ""), ("uftrace_user_slowdown", times, 1, ""),
             ("valgrind_user_slowdown", times, 1, "")])
        parts = ["# What recording costs", "", f"Machine: {self.machine}. Tools: {'; '.join(self.tools)}.",
                 f"Load average (one minute) before and after: {self.load[0]}, {self.load[1]}; wall times want two idle "
                 "cores.",
                 f"Made by `{self.command}`: medians of {self.runs} interleaved runs, and of {self.record_runs} under "
                 "`record` and `uftrace`; one under valgrind.", "",
                 "## Slow-down against `clang-19 -O2`, rings drained to nowhere", "",
                 "Of user CPU time, and of wall time where it says so. sancov: `-fsanitize-coverage=trace-pc-guard` with an "
                 "empty callback. uftrace: `uftrace record --no-libcall` of a `-pg` build, functions only, its own writer's "
                 "time included. valgrind: `--tool=none`.", "", slowdowns, ""]
        for stage in STAGES:
            parts += [f"## `pathspool record`, {stage} stage", "", self.record_table(stage), ""]
        parts += ["M events/s, unrecorded, is per second of user time with the rings drained to nowhere; the others are "
                  "end to end, from the start of `record` to the finished file in the default form. CPU time is that of "
                  "program and collector, user and system.", ""]
        failures = [f"- {result['program']}: {failure.splitlines()[0]}"
                    for result in self.results for failure in result["failures"]]
        parts += ["## Failures", "", "\n".join(failures) if failures else "None.", ""]
        return "\n".join(parts)

    def record_table(self, stage):
        def column(name, form, divisor=1, kind=""):
            return (f"{stage}_{name}", form, divisor, kind)

        return self.table(
            ["program", "M events", "M events/s, unrecorded", "M events/s, recorded", "ns wall per event",
             "ns CPU per event", "bytes per event", "wall slow-down"],
            [column("events", "{:.1f}", 1e6, "plain"),
             column("events_per_second", "{:.0f}", 1e6, "more is better"),
             column("record_events_per_second", "{:.0f}", 1e6, "more is better"),
             column("record_ns_per_event", "{:.2f}"), column("record_cpu_ns_per_event", "{:.2f}"),
             column("bytes_per_event", "{:.4f}"), column("record_wall_slowdown", "{:.1f}×")])

    def readme_table(self):
        """What a reader wants to know first."""
        times = "{:.2f}×"
        return self.table(
            ["program", "optimized", "source", "sancov, empty", "uftrace", "valgrind none", "M events", "record, ns/event",
             "bytes/event"],
            [("optimized_user_slowdown", times, 1, ""), ("source_user_slowdown", times, 1, ""),
             ("sancov_user_slowdown", times, 1, ""), ("uftrace_user_slowdown", times, 1, ""),
             ("valgrind_user_slowdown", times, 1, ""), ("optimized_events", "{:.0f}", 1e6, "plain"),
             ("optimized_record_ns_per_event", "{:.1f}", 1, ""), ("optimized_bytes_per_event", "{:.3f}", 1, "")])

    def write(self, stem):
        stem.parent.mkdir(parents=True, exist_ok=True)
        stem.with_suffix(".md").write_text(self.markdown())
        with open(stem.with_suffix(".csv"), "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(self.rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: round(value, 5) if isinstance(value, float) else value
                              for name, value in row.items()} for row in self.rows)
        summary = {column: {"geometric_mean": self.mean(column), "worst": self.worst(column)}
                   for column in self.rows[0] if column.endswith(("slowdown", "per_event"))}
        stem.with_suffix(".json").write_text(json.dumps(
            {"machine": self.machine, "tools": self.tools, "command": self.command, "load": self.load, "runs": self.runs,
             "record_runs": self.record_runs, "summary": summary, "programs": self.results}, indent=2) + "\n")


def scaled(value, column):
    return None if value is None else value / column[2]

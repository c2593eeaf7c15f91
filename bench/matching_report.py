"""Turns what bench/matching measured into the path-matching paper's tables, for people, as CSV and as JSON."""

import csv
import json
import statistics

import matching_chart
import matching_targets
from matching_targets import SCHEMES, times_faster
from overhead_report import machine, version

AUTOS = ("auto, chunks", "auto, grammar")
TYPES = (1, 2, 3)

RECORDINGS_NOTE = (
    "The trace's size is that of its 16-bit symbols: exit 0, a block its id, an enter the function's id plus one more than "
    "the largest block id.")
SIZES_NOTE = (
    "*gzip -6* and the others without *chunks* compress the 16-bit symbols whole. *Chunks* are files of our form `chunks`, "
    "all sections included; so many bytes of events *in our own coding*, one or two an event, make a chunk before it is "
    "compressed. *grammar* is our file of form `grammar`, SEQUITUR over acyclic runs of events. An index is the index with "
    "the facts of each chunk, and is part of its file.")
TIMES_NOTE = (
    "A query counts the occurrences of one path. The file is open and in the page cache, and nothing has been asked of it "
    "before. Schemes 1 and 3: unpacking + matching, where unpacking is the same chunks decompressed alone. Schemes 2 and "
    "4: decoding + matching, where matching is what a second query on the same open file takes. *rival*: `zstd -dc | "
    "path_scanner` of the 16-bit symbols under `zstd -3`, both processes. *quickest*: of the four schemes and the rival, "
    "and how much faster than the rival. Coverage is the share of the file's chunks that hold events of the path's "
    "function, by the index.\n"
    "† no function of the program is of this type: this one's coverage is nearest. Such rows are not judged against the "
    "rival. – there is none left at all.")
KEPT_NOTE = (
    "Another path of the same function was asked for before; what was unpacked and decoded for it stayed, within the same "
    "memory.")
SCANNER_NOTE = (
    "On unpacked chunks, one thread. *Hot*: a path of the type 3 function, in chunks that hold it; *elsewhere*: of the type "
    "1 function, in chunks that do not.")
NO_FAILURES = "None: all schemes and the rival agree on every count and every first occurrence."


class TypeRow:
    """One program's paths of one type: medians over the paths, in nanoseconds."""

    def __init__(self, program, one):
        self.program, self.number, self.is_of_it = program, one["type"], one["is_of_it"]
        self.function, self.paths = one["function"], one["paths"]
        self.in_chunks, self.in_grammar = one["coverage_chunks"], one["coverage_grammar"]
        self.cold = {name: self.median(name, "cold_ns") for name in (*SCHEMES, *AUTOS)}
        self.kept = {name: self.median(name, "kept_ns") for name in (*SCHEMES, *AUTOS)}
        self.unpacking = one["unpacking_ns"]  # by scheme, 1 and 3
        self.rival = statistics.median(path["rival_ns"] for path in self.paths)

    def median(self, scheme, field):
        return statistics.median(times_of(path, scheme)[field] for path in self.paths)

    def parts(self, scheme):
        """Unpacking or decoding, then matching. They add up to the total."""
        total = self.cold[scheme]
        first = min(self.unpacking[scheme] if scheme in self.unpacking else total - self.kept[scheme], total)
        return max(first, 0), total - max(first, 0)

    def worst_ratio(self, schemes):
        """The rival's time to the quickest of these schemes, for the path where it is smallest."""
        return min(path["rival_ns"] / min(times_of(path, name)["cold_ns"] for name in schemes) for path in self.paths)


def times_of(path, scheme):
    return next(times for times in path["schemes"] if times["scheme"] == scheme)


def milliseconds(ns):
    value = ns / 1e6
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}"


def megabytes(count):
    value = count / 1e6
    return f"{value:.{1 if value >= 100 else 2 if value >= 1 else 3}f}"


def share(coverage):
    return f"{coverage[0]}/{coverage[1]}"


def table(head, rows, left=1):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * left + " ---: |" * (len(head) - left)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def line(result):
    """What is shown while it runs."""
    if result["failures"]:
        return f"{result['program']:11} failed: {result['failures'][0]}"
    text = f"{result['program']:11}"
    for one in result["types"]:
        row = TypeRow(result["program"], one)
        text += f"  type {row.number}: " + " ".join(milliseconds(row.cold[name]) for name in SCHEMES)
        text += f", rival {milliseconds(row.rival)} ms;"
    return text


class Report:
    """`command` is what makes it again, with the full or the small `workloads`; `load` is how many others wanted the cores,
    before and after."""

    def __init__(self, results, command, workloads, repeats, load):
        self.workloads = workloads
        self.results, self.command, self.repeats = results, command, repeats
        self.load = [round(value, 1) for value in load]
        self.good = [result for result in results if not result["failures"]]
        self.rows = [TypeRow(result["program"], one) for result in self.good for one in result["types"]]
        self.machine = machine()
        self.tools = [tool.strip("* ") for tool in (version("zstd", "--version"), version("xz", "--version"),
                                        version("gzip", "--version")) if tool]
        self.targets = matching_targets.judge(self.good, self.rows)

    def markdown(self):
        memory = {result["memory_bytes"] for result in self.good}
        failures = [f"- {result['program']}: {failure}" for result in self.results for failure in result["failures"]]
        parts = ["# Path matching", "", f"Machine: {self.machine}. Tools: {'; '.join(self.tools)}.",
                 f"Load average (one minute) before and after: {self.load[0]}, {self.load[1]}.",
                 f"Made by `{self.command}`: CPU time, user and system, of all threads; medians of {self.repeats} runs or "
                 "more, then over the paths of a type. Every scheme may use the same memory, `find`'s default"
                 + "".join(f" ({count >> 20} MiB)" for count in sorted(memory)) + ".", ""]
        sentences = "\n".join(f"- {sentence}" for sentence in matching_targets.sentences(self.rows))
        for title, text, *notes in (
                ("Targets", matching_targets.markdown(self.targets)),
                ("What wins where", sentences),
                ("The recordings (the paper's Fig. 11)", self.recordings(),
                 f"Optimized stage, {self.workloads} workloads (bench/README.md). {RECORDINGS_NOTE}{self.wide()}"),
                ("Sizes, MB (Fig. 12)", self.sizes(), SIZES_NOTE),
                ("Times of one query, ms (Fig. 13)", self.times(), TIMES_NOTE, "![The same times as bars](matching.svg)"),
                ("A second query on the same open file, ms", self.kept_times(), KEPT_NOTE),
                ("Paths that were asked for", self.paths()),
                ("Scheme 1's scanner alone, ns per event", self.scanner(), SCANNER_NOTE),
                ("Opening a file, ms", self.opening()),
                ("Failures", "\n".join(failures) if failures else NO_FAILURES)):
            parts += [f"## {title}", "", text, ""]
            for note in notes:
                parts += [note, ""]
        return "\n".join(parts)

    def wide(self):
        wide = [result["program"] for result in self.good if result["symbols"]["bits"] != 16]
        return f" These need 32 bits: {', '.join(wide)}." if wide else ""

    def recordings(self):
        return table(["program", "M events", "MB", "deepest level", "functions listed", "ran"],
                     [[r["program"], f"{r['events'] / 1e6:.1f}", megabytes(r["events"] * r["symbols"]["bits"] // 8),
                       r["deepest"], r["functions_listed"], r["functions_ran"]] for r in self.good])

    def sizes(self):
        head = ["program", "gzip -6", "gzip, 80M chunks", "40M", "4M", "4M index, KB", "zstd, 4M chunks", "index, KB",
                "grammar", "index, KB", "bzip2 -9", "zstd -3", "zstd -19", "xz -6"]
        rows = []
        for result in self.good:
            spools, others = result["spools"], result["compressors"]
            rows.append([result["program"], megabytes(others["gzip"]),
                         *(megabytes(spools[f"gzip-{size}"]["file_bytes"]) for size in ("80M", "40M", "4M")),
                         f"{spools['gzip-4M']['index_bytes'] / 1000:.1f}",
                         megabytes(spools["chunks"]["file_bytes"]), f"{spools['chunks']['index_bytes'] / 1000:.1f}",
                         megabytes(spools["grammar"]["file_bytes"]), f"{spools['grammar']['index_bytes'] / 1000:.1f}",
                         *(megabytes(others[name]) for name in ("bzip2", "zstd_3", "zstd_19", "xz"))])
        return table(head, rows)

    def every_type(self):
        """(program, type, row or None), in order."""
        found = {(row.program, row.number): row for row in self.rows}
        return [(result["program"], number, found.get((result["program"], number)))
                for result in self.good for number in TYPES]

    def times(self):
        head = ["program", "type", "function", "coverage, chunks", "grammar", "scheme 1", "scheme 2", "scheme 3", "scheme 4",
                "auto, chunks", "auto, grammar", "rival", "quickest"]
        rows = []
        for program, number, row in self.every_type():
            if row is None:
                rows.append([program, number, *["–"] * (len(head) - 2)])
                continue
            best = matching_targets.quickest(row)
            rows.append([program, f"{number}{'' if row.is_of_it else '†'}", f"`{row.function}`", share(row.in_chunks),
                         share(row.in_grammar),
                         *(" + ".join(map(milliseconds, row.parts(name))) for name in SCHEMES),
                         *(milliseconds(row.cold[name]) for name in AUTOS), milliseconds(row.rival),
                         f"{best[0]}, {times_faster(row.rival / best[1])}"])
        return table(head, rows, 3)

    def kept_times(self):
        return table(["program", "type", *(f"scheme {name}" for name in SCHEMES), *AUTOS],
                     [[row.program, f"{row.number}{'' if row.is_of_it else '†'}",
                       *(milliseconds(row.kept[name]) for name in (*SCHEMES, *AUTOS))] for row in self.rows], 2)

    def paths(self):
        return table(["program", "type", "paths (occurrences)"],
                     [[row.program, row.number, "; ".join(
                         f"`{' '.join(f'B{block}' for block in path['blocks'])}` ({path['count']})" for path in row.paths)]
                      for row in self.rows], 3)

    def scanner(self):
        def cell(result, place):
            found = (result["scanner"] or {}).get(place)
            return "–" if found is None else f"{found['ns_per_event']:.2f}"

        return table(["program", "hot", "elsewhere"],
                     [[result["program"], cell(result, "hot"), cell(result, "elsewhere")] for result in self.good])

    def opening(self):
        return table(["program", "chunks, MB", "ms", "grammar, MB", "ms"],
                     [[result["program"], *(cell for kind in ("chunks", "grammar") for cell in (
                         megabytes(result["spools"][kind]["file_bytes"]), milliseconds(result["opening_ns"][kind])))]
                      for result in self.good])

    def readme_table(self):
        """Sizes in MB; times in ms, of a function that runs nearly everywhere and of one that runs in one place."""
        head = ["program", "M events", "xz -6, MB", "grammar", "chunks", "hot: `zstd -dc \\| scan`", "chunks", "grammar",
                "rare: `zstd -dc \\| scan`", "chunks", "grammar"]
        rows = []
        for result in self.good:
            types = {row.number: row for row in self.rows if row.program == result["program"]}
            times = [cell for number in (3, 1) for cell in self.readme_times(types.get(number))]
            rows.append([result["program"], f"{result['events'] / 1e6:.0f}", megabytes(result["compressors"]["xz"]),
                         megabytes(result["spools"]["grammar"]["file_bytes"]),
                         megabytes(result["spools"]["chunks"]["file_bytes"]), *times])
        return table(head, rows)

    @staticmethod
    def readme_times(row):
        if row is None:
            return ["–"] * 3
        mark = "" if row.is_of_it else "†"
        return [milliseconds(row.rival) + mark, *(milliseconds(row.cold[name]) + mark for name in AUTOS)]

    def write(self, stem):
        stem.parent.mkdir(parents=True, exist_ok=True)
        stem.with_suffix(".md").write_text(self.markdown())
        stem.with_suffix(".svg").write_text(matching_chart.svg(self.rows))
        with open(stem.with_suffix(".csv"), "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(self.path_rows())
        stem.with_suffix(".json").write_text(json.dumps(
            {"machine": self.machine, "tools": self.tools, "command": self.command, "load": self.load,
             "repeats": self.repeats, "targets": self.targets, "programs": self.results}, indent=1) + "\n")

    def path_rows(self):
        """One line a path; times in microseconds."""
        ways = (*SCHEMES, *AUTOS)
        names = {name: (f"scheme_{name}" if name in SCHEMES else name.replace(", ", "_")) for name in ways}
        yield ["program", "type", "is_of_it", "function", "chunks_coverage", "grammar_coverage", "path", "count",
               *(f"{names[name]}_{kind}_us" for name in ways for kind in ("cold", "kept")),
               "scheme_1_unpacking_us", "scheme_3_unpacking_us", "rival_us"]
        for row in self.rows:
            for path in row.paths:
                yield [row.program, row.number, int(row.is_of_it), row.function, share(row.in_chunks),
                       share(row.in_grammar), " ".join(f"B{block}" for block in path["blocks"]), path["count"],
                       *(round(times_of(path, name)[kind] / 1e3, 1) for name in ways for kind in ("cold_ns", "kept_ns")),
                       *(round(row.unpacking[name] / 1e3, 1) for name in ("1", "3")),
                       round(path["rival_ns"] / 1e3, 1)]

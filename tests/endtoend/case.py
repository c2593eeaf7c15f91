"""One program in one configuration: built, run, recorded, compared."""

import difflib
import json
import os
import re
import shlex
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

import structure

TIME_LIMIT_SECONDS = 120
PROGRAM = "program"
INCLUDE = Path(__file__).resolve().parents[2] / "include"


@dataclass(frozen=True)
class Tools:
    """What the tests use."""

    pathspool: Path
    graph_walk: Path
    clangs: dict
    golden: Path
    newest: int
    bless: bool
    show: bool


@dataclass(frozen=True)
class Outcome:
    """How a program ended and what it printed."""

    status: str
    output: str
    errors: str


class Failure(Exception):
    """The rest of the case makes no sense."""


def run(command, folder, environment=None):
    """Runs it in a session of its own, which ends with it if it takes too long."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=TIME_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failure(f"{shlex.join(map(str, command))} took over {TIME_LIMIT_SECONDS} s") from None
    code = process.returncode
    return Outcome(
        f"signal {-code}" if code < 0 else str(code),
        output.decode("utf-8", "backslashreplace"),
        errors.decode("utf-8", "backslashreplace"),
    )


def _environment(**more):
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PATHSPOOL_", "CCC_"))
    }
    return {**kept, "LC_ALL": "C.UTF-8", **more}


class PlainRuns:
    """What the programs do when clang alone compiles them: once for each level."""

    _results = {}
    _locks = {}
    _lock = threading.Lock()

    @classmethod
    def get(cls, key, compute):
        with cls._lock:
            lock = cls._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in cls._results:
                cls._results[key] = compute()
            return cls._results[key]


class Case:
    """See above."""

    def __init__(self, tools, program, configuration, work):
        self._tools = tools
        self._program = program
        self._configuration = configuration
        words = [program.name.replace("/", "-"), str(configuration.version)]
        self._folder = work / "".join(words + [configuration.level]) / configuration.stage
        self._plain_folder = self._folder.parent / "plain"
        self._problems = []

    def __str__(self):
        return f"{self._program.name} ({self._configuration})"

    def run(self):
        """What is wrong; empty if nothing."""
        try:
            self._expected = self._program.expectation(self._configuration)
            key = (self._program.name, self._configuration.version, self._configuration.level)
            plain = PlainRuns.get(key, self._run_plain)
            self._build(self._folder, self._compilers())
            spool = self._folder / "run.spool"
            recorded = self._record(spool, self._program.run)
            self._compare_outcomes(plain, recorded)
            self._examine(spool)
        except (Failure, structure.NotationError) as failure:
            self._problems.append(str(failure))
        return self._problems

    # ---- Building and running

    def _compilers(self):
        configuration = self._configuration
        options = [
            f"--pathspool-clang={configuration.version}",
            f"--pathspool-stage={configuration.stage}",
            *shlex.split(self._program.wrapper),
        ]
        return [[str(self._tools.pathspool), verb, *options] for verb in ("cc", "c++")]

    def _build(self, folder, compilers):
        folder.mkdir(parents=True, exist_ok=True)
        level = self._configuration.level
        clang, clangxx = self._tools.clangs[self._configuration.version]
        c, cxx = [level, "-std=gnu11"], [level, "-std=gnu++17"]
        variables = {
            "$PLAIN_CC": shlex.join([clang] + c),
            "$PLAIN_CXX": shlex.join([clangxx] + cxx),
            "$CC": shlex.join(compilers[0] + c),
            "$CXX": shlex.join(compilers[1] + cxx),
            "$FLAGS": self._program.flags,
            "$INCLUDE": shlex.quote(str(INCLUDE)),
            "$HERE": shlex.quote(str(self._program.source.parent)),
            "$SOURCE": shlex.quote(str(self._program.source)),
            "$PROGRAM": PROGRAM,
        }
        compiler = "$CC" if self._program.source.suffix == ".c" else "$CXX"
        usual = [f"{compiler} -I$HERE/.. $FLAGS $SOURCE -o $PROGRAM"]
        for line in self._program.build or usual:
            command = line
            for variable, value in variables.items():
                command = command.replace(variable, value)
            built = run(["bash", "-c", command], folder, _environment())
            if built.status != "0":
                raise Failure(f"{line}: status {built.status}\n{built.output}{built.errors}")
            if built.output or built.errors:
                self._problems.append(f"{line} says:\n{built.output}{built.errors}")

    def _run_plain(self):
        clang, clangxx = self._tools.clangs[self._configuration.version]
        self._build(self._plain_folder, [[clang], [clangxx]])
        command = ["./" + PROGRAM, *shlex.split(self._program.run)]
        return run(command, self._plain_folder, _environment())

    def _record(self, spool, arguments):
        command = [self._tools.pathspool, "record", "-o", spool.name]
        command += shlex.split(self._program.record)
        command += ["--", "./" + PROGRAM, *shlex.split(arguments)]
        return run(command, self._folder, _environment())

    def _compare_outcomes(self, plain, recorded):
        if plain.status != self._expected.status:
            self._problems.append(f"the plain program ended with {plain.status}: the test is wrong")
        if recorded.status != self._expected.status:
            self._problems.append(f"status {recorded.status}, not {self._expected.status}")
        expected = plain.output if self._expected.output is None else self._expected.output
        for what, wanted, got in (
            ("the plain program prints something else", expected, plain.output),
            ("output", expected, recorded.output),
            ("standard error", plain.errors, recorded.errors),
        ):
            if wanted != got:
                lines = difflib.unified_diff(wanted.splitlines(), got.splitlines(), lineterm="", n=1)
                self._problems.append("\n".join([what, *lines]))

    # ---- The spool

    def _pathspool(self, verb, spool, *options):
        result = run([self._tools.pathspool, verb, spool.name, *options], spool.parent, _environment())
        if result.status != "0":
            raise Failure(f"{verb} {' '.join(options)}: {result.output}{result.errors}")
        return result.output

    def _examine(self, spool):
        if not spool.exists():
            raise Failure("there is no spool")
        self._pathspool("check", spool)
        information = json.loads(self._pathspool("info", spool, "--format", "json"))
        if self._expected.events is not None:
            self._compare_counts(information)
            self._walk(spool)
            return
        functions = []
        if ".cpp" in self._program.name:
            listed = self._pathspool("info", spool, "--functions", "--format", "json")
            functions = json.loads(listed)["functions"]
        text = self._pathspool("cat", spool)
        self._compare_streams(information["streams"], text, structure.Names(functions))
        self._compare_notes(information["notes"])
        parents = [stream["parent"] for stream in information["streams"][1:]]
        if self._expected.parents is not None and parents != self._expected.parents:
            self._problems.append(f"parents {parents}, not {self._expected.parents}")
        self._walk(spool)
        if self._program.twin is not None:
            self._compare_twin(spool)
        if self._expected.last_line is not None:
            self._compare_last_line(spool)
        configuration = self._configuration
        if self._program.golden and str(configuration) == f"clang {self._tools.newest} -O0 source":
            self._compare_golden(text)

    def _compare_counts(self, information):
        counted = (information["events"], information["deepest_level"])
        expected = (self._expected.events, self._expected.deepest)
        if counted != expected:
            self._problems.append(f"events and deepest level: {counted}, not {expected}")

    def _compare_streams(self, streams, text, names):
        texts = [text] if len(streams) == 1 else re.split(r"^@stream .*\n", text, flags=re.M)[1:]
        if len(texts) != len(streams):
            raise Failure(f"cat prints {len(texts)} streams, info knows {len(streams)}")
        events = [structure.events_of(text, names) for text in texts]
        if self._tools.show:
            for stream, one in zip(streams, events):
                shown = structure.render(one) if len(one) < 2000 else f"{len(one)} enters and exits"
                print(f"{self} {stream['title']}: {shown}")
        if self._expected.main is not None and events:
            difference = structure.difference(self._expected.main, events[0])
            if difference:
                self._problems.append(f"stream 0\n{difference}")
        if self._expected.outline is not None and events:
            difference = structure.difference(self._expected.outline, structure.outline(events[0]))
            if difference:
                self._problems.append(f"the outline of stream 0\n{difference}")
        left = [expectation.count for expectation in self._expected.streams]
        for stream, one in list(zip(streams, events))[1:]:
            fitting = [
                i
                for i, expectation in enumerate(self._expected.streams)
                if left[i] > 0 and expectation.takes(stream)
            ]
            equal = [i for i in fitting if self._expected.streams[i].equals(one)]
            if equal:
                left[equal[0]] -= 1
                continue
            wanted = self._expected.streams[fitting[0]].events if fitting else []
            what = structure.difference(wanted, one) or "more of them than expected"
            self._problems.append(f"stream {stream['stream']} ({stream['title']})\n{what}")
        if self._expected.main is None and self._expected.outline is None:
            self._problems.append("the program does not say what to expect")
        for missing, expectation in zip(left, self._expected.streams):
            if missing and not expectation.repeats:
                self._problems.append(f"{missing} streams missing: {structure.render(expectation.events)[:300]}")

    def _compare_notes(self, notes):
        texts = [note["text"] for note in notes]
        for pattern in self._expected.notes:
            found = [text for text in texts if re.search(pattern, text)]
            if not found:
                self._problems.append(f"no note is like '{pattern}': {texts}")
            texts = [text for text in texts if text not in found]
        if texts:
            self._problems.append(f"notes: {texts}")

    def _walk(self, spool):
        # A recording without some of its functions has calls that no graph knows.
        if not self._tools.graph_walk or re.search("-[FN]", self._program.record):
            return
        late = ["--late"] if "--start-paused" in self._program.record else []
        result = run([self._tools.graph_walk, spool, *late], spool.parent)
        if result.status != "0":
            self._problems.append(f"graph_walk: {result.output}{result.errors}".rstrip())

    def _compare_twin(self, spool):
        twin = spool.with_name("twin.spool")
        outcome = self._record(twin, self._program.twin)
        if outcome.status != self._expected.status:
            self._problems.append(f"its twin ends with {outcome.status}")
        texts = [self._pathspool("cat", one, "--stream", "0") for one in (spool, twin)]
        if texts[0] != texts[1]:
            at = next((i for i, pair in enumerate(zip(*texts)) if pair[0] != pair[1]), 0)
            around = [text[max(at - 60, 0) : at + 60] for text in texts]
            self._problems.append(f"its twin's stream 0 differs at {at}:\n{around[0]!r}\n{around[1]!r}")

    def _compare_last_line(self, spool):
        lines = self._pathspool("cat", spool, "--stream", "0", "--lines").splitlines()
        blocks = [line for line in lines if re.match(r" *B\d+", line)]
        ranges = re.findall(r"[:,](\d+)(?:-(\d+))?", blocks[-1].rpartition("#")[2]) if blocks else []
        line = self._expected.last_line
        if not any(int(first) <= line <= int(last or first) for first, last in ranges):
            self._problems.append(f"the last block is not on line {line}: {blocks[-1:]}")

    def _compare_golden(self, text):
        text = re.sub(r'^(@stream \d+ ")\d+/\d+', r"\1PID/TID", text, flags=re.M)
        path = self._tools.golden / (self._program.source.stem + ".txt")
        if self._tools.bless:
            path.write_text(text, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        if kept != text:
            lines = difflib.unified_diff(kept.splitlines(), text.splitlines(), lineterm="", n=1)
            self._problems.append("\n".join([f"golden/{path.name}", *lines]))

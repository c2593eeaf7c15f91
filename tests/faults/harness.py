"""What the cases share: victims built with `pathspool cc`, recordings of them, and the comparison of
what a recording holds with what the victim counted (victims/counting.h)."""

import contextlib
import ctypes
import json
import mmap
import os
import shutil
import signal
import struct
import subprocess
import time
from collections import Counter
from pathlib import Path

VICTIMS = Path(__file__).parent / "victims"
WIRE = Path(__file__).parents[2] / "include"
STAGES = ("source", "optimized")
MEBIBYTE = 1 << 20
PATIENCE_SECONDS = 120


class Failed(Exception):
    """The recorder did not do what it should."""


class Skipped(Exception):
    """This machine does not let the fault happen."""


def expect(condition, *what):
    if not condition:
        raise Failed(" ".join(str(part) for part in what))


def expect_same(got, wanted, *what):
    expect(got == wanted, *what, f": {got!r} instead of {wanted!r}")


def become_subreaper():
    """The orphans of a killed collector become our children, so that we see how they end."""
    pr_set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(pr_set_child_subreaper, 1, 0, 0, 0) != 0:
        raise Skipped("prctl does not make a subreaper")


def wait_until(condition, what, seconds=PATIENCE_SECONDS):
    end = time.monotonic() + seconds
    while not (result := condition()):
        expect(time.monotonic() < end, f"no {what} after {seconds} s")
        time.sleep(0.002)
    return result


class Counters:
    """The victim's own counts, in the file that it maps."""

    FUNCTIONS, NAME_BYTES = 6, 32
    HEAD = struct.Struct(f"{FUNCTIONS * NAME_BYTES}s8Q")
    SLOT = struct.Struct(f"{2 + 2 * FUNCTIONS + 2}Q")

    def __init__(self, path):
        self.path = Path(path)

    def _head(self):
        try:
            with open(self.path, "rb") as file:
                head = file.read(self.HEAD.size)
        except FileNotFoundError:
            return None
        return self.HEAD.unpack(head) if len(head) == self.HEAD.size else None

    def pid(self):
        """The victim's; 0 as long as it has not started."""
        head = self._head()
        return head[3] if head else 0

    def phase(self):
        head = self._head()
        return head[2] if head else 0

    def names(self):
        """Of the counted functions."""
        head = self._head()
        raw = head[0] if head else b""
        found = [raw[i : i + self.NAME_BYTES] for i in range(0, len(raw), self.NAME_BYTES)]
        return [name.rstrip(b"\0").decode() for name in found if name[0]]

    def slots(self):
        """For each slot that was taken: (pid, tid, {function: started}, {function: ended})."""
        head = self._head()
        if head is None:
            return []
        names = self.names()
        found = []
        with open(self.path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            for number in range(head[1]):
                slot = self.SLOT.unpack_from(memory, self.HEAD.size + number * self.SLOT.size)
                if slot[1] == 0:
                    continue
                started = dict(zip(names, slot[2 : 2 + self.FUNCTIONS]))
                ended = dict(zip(names, slot[2 + self.FUNCTIONS :]))
                found.append((slot[0], slot[1], started, ended))
        return found


class Recording:
    """`pathspool record` at work."""

    def __init__(self, process, spool):
        self.process = process
        self.pid = process.pid
        self.spool = spool
        self.peak = {"VmHWM": 0, "RssAnon": 0}

    def look_at_memory(self):
        try:
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        except OSError:
            return
        for line in status.splitlines():
            key, _, value = line.partition(":")
            if key in self.peak:
                self.peak[key] = max(self.peak[key], int(value.split()[0]) * 1024)

    def finish(self, watch_memory=False):
        """Waits; returns (status as of Popen, standard output, standard error)."""
        while watch_memory and self.process.poll() is None:
            self.look_at_memory()
            time.sleep(0.01)
        try:
            out, err = self.process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired as error:
            os.killpg(self.pid, signal.SIGKILL)
            self.process.communicate()
            raise Failed(f"record did not end within {PATIENCE_SECONDS} s") from error
        return self.process.returncode, out, err


class Test:
    """One case: the programs, and a folder for it."""

    def __init__(self, pathspool, counts, folder, seed, seconds):
        self.pathspool, self.counts, self.folder = str(pathspool), str(counts), Path(folder)
        self.seed, self.seconds = seed, seconds
        self.used_names = Counter()
        self.recordings = []

    def fresh(self, name):
        """A path that nothing has."""
        self.used_names[name] += 1
        return self.folder / f"{self.used_names[name]}_{name}"

    def build(self, source, stage="source", level="-O2"):
        """Builds the victim; without a stage by the plain compiler, for what it should print."""
        path = VICTIMS / source
        is_cpp = path.suffix == ".cpp"
        program = self.folder / f"{path.stem}_{stage or 'plain'}"
        if stage:
            compiler = [self.pathspool, "c++" if is_cpp else "cc", f"--pathspool-stage={stage}"]
        else:
            compiler = [plain_compiler(is_cpp)]
        standard = ["-std=c++17"] if is_cpp else ["-std=gnu11"]
        flags = [level, "-g", "-Wall", "-Wextra", "-pthread", *standard, f"-I{WIRE}"]
        done = subprocess.run([*compiler, *flags, str(path), "-o", str(program)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect(done.returncode == 0 and not done.stdout, "building", source, done.stdout)
        return program

    def start(self, program, *arguments, spool=None, options=(), **how):
        """Starts recording, in a process group of its own."""
        spool = spool or self.fresh("a.spool")
        command = [self.pathspool, "record", "-o", str(spool), *options, "--", str(program)]
        process = subprocess.Popen([*command, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, **how)
        self.recordings.append(Recording(process, Path(spool)))
        return self.recordings[-1]

    def clean_up(self):
        """After a failure: victims may run for ever. Each recording is a process group."""
        for recording in self.recordings:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(recording.pid, signal.SIGKILL)
            recording.process.communicate()

    def record(self, program, *arguments, **how):
        """Records to the end: (recording, status, standard output, standard error)."""
        recording = self.start(program, *arguments, **how)
        return (recording, *recording.finish())

    def run(self, verb, *arguments):
        """A verb of pathspool, as CompletedProcess."""
        return subprocess.run([self.pathspool, verb, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)

    def expect_intact(self, spool):
        done = self.run("check", spool)
        expect(done.returncode == 0, "check", spool.name, "has status", done.returncode, done.stdout, done.stderr)

    def expect_readable_part(self, spool):
        """A truncated spool, of use up to where it ends."""
        done = self.run("check", spool)
        expect(done.returncode == 1 and "truncated" in done.stdout + done.stderr,
               "check does not say truncated: status", done.returncode, done.stdout, done.stderr)
        for verb in ("cat", "info"):
            with open(os.devnull, "wb") as nowhere:
                done = subprocess.run([self.pathspool, verb, str(spool)], stdout=nowhere,
                                      stderr=subprocess.PIPE, text=True, check=False)
            expect_same(done.returncode, 0, verb, "on a truncated spool: status")
            expect("truncated" in done.stderr, verb, "does not warn:", done.stderr)

    def contents(self, spool):
        done = subprocess.run([self.counts, str(spool)], stdout=subprocess.PIPE, check=False)
        expect_same(done.returncode, 0, "reading", spool.name, "status")
        return json.loads(done.stdout)

    def expect_prefix(self, part, whole):
        """Each stream of `part` begins that of `whole`. Returns how many events it has."""
        done = subprocess.run([self.counts, str(part), str(whole)], stdout=subprocess.PIPE, check=False)
        expect_same(done.returncode, 0, "comparing", part.name, "status")
        events = 0
        for stream in json.loads(done.stdout)["streams"]:
            expect_same(stream["common"], stream["events"], "stream", stream["id"],
                        "leaves the true trace after so many events")
            events += stream["events"]
        return events

    def expect_counts(self, spool, counters, killed=False):
        """What the spool holds is what the victim counted, thread by thread. Returns (calls, how many
        calls were cut short).

        Of a program that was not killed, every number is the same. A killed thread was at one place:
          - between the enter word and STARTED of at most one function: it then has one enter more
            than it counted, and never one less;
          - between ENDED and the exit word, or between a block word that implies the exit and
            ENDED, of at most one function: its exits then differ by one.
        """
        contents = self.contents(spool)
        expect_same(contents["notes"], [], spool.name, "has warnings")
        streams = {}
        for stream in contents["streams"]:
            expect_same(stream["homeless"], 0, "stream", stream["title"], "events outside any frame")
            owner = stream["title"].split(" ")[0]
            if stream["title"].endswith("(signals)"):
                continue
            streams.setdefault(owner, []).append(stream["functions"])
        calls = cut_short = 0
        for pid, tid, started, ended in counters.slots():
            owner = f"{pid}/{tid}"
            candidates = streams.get(owner, [])
            expect(candidates, "no stream is left for", owner, "which counted", started)
            # The kernel gives a thread's number again: then it has several slots and streams.
            functions = next((one for one in candidates if counts_fit(one, started, ended, killed)), None)
            expect(functions is not None, owner, "counted", started, ended, "recorded", candidates)
            candidates.remove(functions)
            calls += sum(started.values())
            cut_short += sum(functions.get(name, {"enters": 0})["enters"] for name in started) - sum(started.values())
        counted = counters.names()
        for owner, left in streams.items():
            for functions in left:
                expect(not set(counted) & set(functions), "a stream that no thread counted:", owner, functions)
        return calls, cut_short


def counts_fit(functions, started, ended, killed):
    none = {"enters": 0, "exits": 0}
    more_enters = [functions.get(name, none)["enters"] - count for name, count in started.items()]
    other_exits = [abs(functions.get(name, none)["exits"] - count) for name, count in ended.items()]
    most = 1 if killed else 0
    return min(more_enters) >= 0 and sum(more_enters) <= most and sum(other_exits) <= most


def plain_compiler(is_cpp):
    names = [f"clang-{major}" for major in range(19, 13, -1)] + ["clang", "cc"]
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise Skipped("there is no C compiler")
    if not is_cpp:
        return found
    return found.replace("clang", "clang++") if "clang" in found else "c++"

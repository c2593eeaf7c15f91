"""Programs that make it hard: obstacles of their own, many threads, long runs, garbage."""

import os
import random
import subprocess
import time

from harness import MEBIBYTE, STAGES, Counters, expect, expect_same


def obstacles(test):
    """Neither descriptors nor limits, root or working directory are needed once a program runs."""
    alone = ["chdir", "close", "limits"]
    if os.geteuid() == 0:
        alone.append("chroot")
    else:
        print("chroot needs root: left out")
    ways = [[what] for what in alone] + [[what for what in ("chdir", "limits", "chroot", "close") if what in alone]]
    root = test.fresh("root")
    root.mkdir()
    for stage in STAGES:
        victim = test.build("obstacles.c", stage)
        for way in ways:
            counters = Counters(test.fresh("counters"))
            recording, status, out, err = test.record(victim, counters.path, 3000, root, *way)
            expect_same((status, out, err), (7, "", ""), way, f"(phase {counters.phase()}) status, output, messages")
            test.expect_intact(recording.spool)
            slots = counters.slots()
            expect_same(len(slots), 14, way, "threads that ran")
            calls, _ = test.expect_counts(recording.spool, counters)
        print(f"{stage}: {len(ways)} ways, {calls} calls each")


def many_threads(test):
    """64 threads at a time, each followed by another: all are there, and rings are used again."""
    most = 400_000
    victim = test.build("churn.c")
    counters = Counters(test.fresh("counters"))
    recording = test.start(victim, counters.path, test.seconds, 64, most)
    status, out, err = recording.finish(watch_memory=True)
    expect_same((status, err), (0, ""), "status, messages")
    test.expect_intact(recording.spool)
    calls, _ = test.expect_counts(recording.spool, counters)
    threads = len(counters.slots())
    expect_same(f"{threads}\n", out, "threads that counted")
    peak = {key: value / MEBIBYTE for key, value in recording.peak.items()}
    print(f"{threads} threads in {test.seconds} s, {calls} calls; the collector's peak: "
          f"{peak['VmHWM']:.0f} MiB, {peak['RssAnon']:.0f} MiB of that its own")
    # What it keeps for each thread is a title and a place in the file; and the rings of 129 threads.
    expect(threads > 1000, "too few threads to mean anything")
    expect(peak["VmHWM"] < 700, "the collector took", peak["VmHWM"], "MiB")


def long_run(test):
    """Memory does not grow with the trace."""
    victim = test.build("busy.c")
    peaks = []
    for calls in (400_000, 1_600_000):
        counters = Counters(test.fresh("counters"))
        recording = test.start(victim, counters.path, 1, calls)
        began = time.monotonic()
        status, _, err = recording.finish(watch_memory=True)
        seconds = time.monotonic() - began
        expect_same((status, err), (0, ""), "status, messages")
        test.expect_intact(recording.spool)
        test.expect_counts(recording.spool, counters)
        events = sum(stream["events"] for stream in test.contents(recording.spool)["streams"])
        peaks.append(recording.peak["VmHWM"] / MEBIBYTE)
        print(f"{events / 1e6:.0f} M events in {seconds:.1f} s ({seconds / events * 1e9:.1f} ns each), "
              f"{recording.spool.stat().st_size} bytes, peak {peaks[-1]:.0f} MiB")
        recording.spool.unlink()
    expect(events > 100e6, "too few events to mean anything:", events)
    expect(peaks[-1] < 700, "the collector took", peaks[-1], "MiB")


CALLS = "60000000"


def fastest(command, times=5):
    """Seconds of user CPU time, of the fastest of some runs, and its output."""
    best, out = None, None
    for _ in range(times):
        before = os.times()
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
        spent = os.times().children_user - before.children_user
        best = spent if best is None else min(best, spent)
    return best, out


def unrecorded(test):
    """Without `record` a program writes nothing and is nearly as fast; PATHSPOOL_OPTIONS records."""
    plain = test.build("calling.c", None)
    wanted_few = subprocess.run([plain, "1000"], stdout=subprocess.PIPE, check=True).stdout
    plain_seconds, wanted = fastest([plain, CALLS])
    for stage in STAGES:
        program = test.build("calling.c", stage)
        folder = test.fresh("cwd")
        folder.mkdir()
        seconds, out = fastest([program, CALLS])
        expect_same(out, wanted, "output")
        print(f"{stage}: {seconds / plain_seconds:.2f} times the plain program's time, on nothing but calls")
        expect(seconds < 3 * plain_seconds, "too slow:", seconds, "s instead of", plain_seconds)
        environment = dict(os.environ, HOME=str(folder), TMPDIR=str(folder))
        environment.pop("PATHSPOOL_OPTIONS", None)
        done = subprocess.run([program, "1000"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=True)
        expect_same((done.stdout, list(folder.iterdir())), (wanted_few, []), "output, files")

        environment["PATHSPOOL_OPTIONS"] = f"output=run.spool pathspool={test.pathspool}"
        done = subprocess.run([program, "1000"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=True)
        expect_same((done.stdout, [path.name for path in folder.iterdir()]), (wanted_few, ["run.spool"]),
                    "with PATHSPOOL_OPTIONS: output, files")
        test.expect_intact(folder / "run.spool")
        (stream,) = test.contents(folder / "run.spool")["streams"]
        expect_same(stream["functions"]["mix"], {"enters": 1000, "exits": 1000}, "calls")


def scribbled_memory(test):
    """Garbage in the shared memory harms what is recorded, and nothing else."""
    generator = random.Random(test.seed)
    victim = test.build("scribbling.cpp")
    ends = {}
    for number in range(30):
        what = ("words", "ring", "all")[number % 3]
        seed = generator.randrange(1 << 32)
        recording = test.start(victim, seed, what)
        status, out, err = recording.finish()
        where = f"seed {seed} {what}:"
        expect(status in (0, -14, -11, -7, -4), where, "record's status is", status, out, err)
        expect("terminate" not in err and "Assert" not in err, where, "messages:", err)
        if recording.spool.exists():
            done = test.run("check", recording.spool)
            expect_same(done.returncode, 0, where, done.stdout, done.stderr, "check's status")
            test.contents(recording.spool)
        else:
            expect(err, where, "there is neither a spool nor a message")
        ends[(what, status, recording.spool.exists())] = ends.get((what, status, recording.spool.exists()), 0) + 1
    for (what, status, has_spool), count in sorted(ends.items()):
        print(f"{what}: {count} ended with status {status}, {'with' if has_spool else 'without'} a spool")

"""Places for the spool that fail while it is written."""

import contextlib
import os
import resource
import shutil
import stat
import subprocess
import time

from harness import Counters, Skipped, expect, expect_same, wait_until
from kills import events_so_far

CALLS = 1_200_000


def expect_stopped_part(test, recording, result, wanted, message):
    """The program did not notice; a message says what happened; what was complete is there, and the
    spool says that more was to come."""
    status, out, err = result
    expect_same((status, out), (0, wanted), "the program's status and output")
    lines = err.splitlines()
    expect(len(lines) == 1 and lines[0].startswith("pathspool: ") and message in lines[0], "messages:", err)
    done = test.run("check", recording.spool)
    if done.returncode == 0:
        notes = test.contents(recording.spool)["notes"]
        expect(any("stopped" in note for note in notes), "no note says that recording stopped:", notes)
    else:
        test.expect_readable_part(recording.spool)
    return events_so_far(test, recording.spool)


def recorded_in_peace(test, victim):
    whole, status, wanted, err = test.record(victim, test.fresh("counters"), 1, CALLS)
    expect_same((status, err), (0, ""), "recorded in peace: status, messages")
    return whole, wanted


@contextlib.contextmanager
def small_file_system(folder, kibibytes):
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "none", str(folder)],
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"cannot mount a small file system: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def full_file_system(test):
    """No space left on the device, at once and later."""
    victim = test.build("busy.c")
    whole, wanted = recorded_in_peace(test, victim)
    for kibibytes in (16, 1024):
        folder = test.fresh("small")
        with small_file_system(folder, kibibytes):
            recording = test.start(victim, test.fresh("counters"), 1, CALLS, spool=folder / "a.spool")
            events = expect_stopped_part(test, recording, recording.finish(), wanted, "No space left")
            test.expect_prefix(recording.spool, whole.spool)
            print(f"{kibibytes} KiB: {events} events are there")
            expect(kibibytes < 1024 or events > 0, "nothing is there")


def full_disk(test):
    """The same by a limit on the size of files, which the collector alone has: nobody has to be root."""
    victim = test.build("busy.c")
    whole, wanted = recorded_in_peace(test, victim)
    for most_bytes in (1000, 1 << 20):
        counters = Counters(test.fresh("counters"))
        recording = test.start(victim, counters.path, 1, CALLS)
        wait_until(counters.pid, "victim")  # a limit that it has from the start keeps it from starting
        resource.prlimit(recording.pid, resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        events = expect_stopped_part(test, recording, recording.finish(), wanted, "File too large")
        test.expect_prefix(recording.spool, whole.spool)
        print(f"{most_bytes} bytes: {events} events are there")
        expect(most_bytes < 1 << 20 or events > 0, "nothing is there")
        expect(recording.spool.stat().st_size <= most_bytes, "the limit did not hold")


def vanished_folder(test):
    """Someone removes the folder: the program goes on, a message says so, nothing comes back."""
    victim = test.build("busy.c")
    _, wanted = recorded_in_peace(test, victim)
    for after_a_segment in (False, True):
        folder = test.fresh("gone")
        folder.mkdir()
        counters = Counters(test.fresh("counters"))
        recording = test.start(victim, counters.path, 1, CALLS, spool=folder / "a.spool")
        wait_until(counters.pid, "victim")
        if after_a_segment:
            wait_until(lambda: events_so_far(test, recording.spool) > 0, "segment")
        shutil.rmtree(folder)
        removed = time.monotonic()
        status, out, err = recording.finish()
        expect_same((status, out), (0, wanted), "the program's status and output")
        lines = err.splitlines()
        expect(len(lines) == 1 and lines[0].startswith("pathspool: "), "messages:", err)
        expect(not folder.exists(), "the folder is there again")
        print(f"{lines[0].replace(str(test.folder), '...')} ({time.monotonic() - removed:.2f} s)")
    # A folder that is not there to begin with: nothing runs.
    missing = test.fresh("missing") / "a.spool"
    counters = Counters(test.fresh("counters"))
    _, status, out, err = test.record(victim, counters.path, 1, 10, spool=missing)
    expect_same((status, out, os.path.exists(counters.path)), (125, "", False), "status, output, whether it ran")
    expect(len(err.splitlines()) == 1, "messages:", err)


def untouched_output(test):
    """A program that records nothing leaves what was there, be it a device."""
    plain = test.build("calling.c", None)
    before = test.fresh("a.spool")
    before.write_text("before", encoding="ascii")
    link = test.fresh("link")
    link.symlink_to(test.fresh("aim"))
    outputs = [before, link]
    if os.geteuid() == 0:
        device = test.fresh("null")
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        outputs.append(device)
    else:
        print("a device needs root: left out")
    for output in outputs:
        kind = stat.S_IFMT(output.lstat().st_mode)
        _, status, out, err = test.record(plain, 1, spool=output)
        expect_same((status, len(out.splitlines())), (0, 1), output.name, "status, lines of output")
        expect("nothing was recorded" in err, output.name, "messages:", err)
        expect_same(stat.S_IFMT(output.lstat().st_mode) if output.is_symlink() or output.exists() else 0, kind,
                    output.name, "is no more what it was")
    expect_same(before.read_text(encoding="ascii"), "before", "the older file")
    _, status, _, _ = test.record("no-such-program", spool=before)
    expect_same((status, before.read_text(encoding="ascii")), (127, "before"), "status, the older file")

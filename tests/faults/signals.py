"""Signals and exit statuses go through `record` as if it were not there."""

import os
import signal
import time

from harness import Counters, expect, expect_same, wait_until


def start_waiting(test, victim, how, seconds):
    counters = Counters(test.fresh("counters"))
    recording = test.start(victim, counters.path, how, seconds)
    wait_until(counters.pid, "victim")
    wait_until(counters.slots, "call")
    time.sleep(0.1)
    return counters, recording


def expect_end(test, recording, counters, status, output, killed, what):
    got, out, err = recording.finish()
    expect_same((got, out, err), (status, output, ""), what, "status, output, messages")
    test.expect_intact(recording.spool)
    calls, _ = test.expect_counts(recording.spool, counters, killed=killed)
    expect(calls > 0, what, "no calls")


def signals(test):
    """Ctrl-C leaves a complete spool; SIGTERM and SIGHUP reach the program; who ignores goes on."""
    victim = test.build("waiting.c")
    handled = f"caught {int(signal.SIGINT)}\n"

    counters, recording = start_waiting(test, victim, "default", 60)
    os.killpg(recording.pid, signal.SIGINT)
    expect_end(test, recording, counters, -signal.SIGINT, "", True, "Ctrl-C")

    counters, recording = start_waiting(test, victim, "handle", 60)
    os.killpg(recording.pid, signal.SIGINT)
    expect_end(test, recording, counters, 6, handled, False, "Ctrl-C, handled")

    counters, recording = start_waiting(test, victim, "ignore", 2)
    os.killpg(recording.pid, signal.SIGINT)
    time.sleep(0.2)
    expect_same(recording.process.poll(), None, "Ctrl-C, ignored: record's status")
    os.killpg(recording.pid, signal.SIGINT)
    expect_end(test, recording, counters, 5, "not caught\n", False, "Ctrl-C, ignored")

    counters, recording = start_waiting(test, victim, "default", 60)
    os.killpg(recording.pid, signal.SIGQUIT)
    expect_end(test, recording, counters, -signal.SIGQUIT, "", True, "Ctrl-\\")

    for number in (signal.SIGTERM, signal.SIGHUP):
        counters, recording = start_waiting(test, victim, "default", 60)
        os.kill(recording.pid, number)
        expect_end(test, recording, counters, -number, "", True, number.name)

    counters, recording = start_waiting(test, victim, "handle", 60)
    os.kill(recording.pid, signal.SIGTERM)
    expect_end(test, recording, counters, 6, f"caught {int(signal.SIGTERM)}\n", False, "SIGTERM, handled")

    # To record alone: a terminal sends it to all, and only then does the program get it.
    counters, recording = start_waiting(test, victim, "ignore", 1)
    os.kill(recording.pid, signal.SIGINT)
    expect_end(test, recording, counters, 5, "not caught\n", False, "SIGINT to record alone")


def statuses(test):
    """The program's own, be they what record itself uses; signals; and record's own."""
    victim = test.build("ending.c")
    for how, number in [(how, n) for n in (0, 1, 3, 125, 126, 127, 128, 255) for how in ("exit", "return")]:
        _, status, out, err = test.record(victim, how, number)
        expect_same((status, out, err), (number, "out\n", "err\n"), how, number)
    numbers = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGPIPE, signal.SIGALRM,
               signal.SIGTERM, signal.SIGXFSZ, signal.SIGKILL, signal.SIGSYS, signal.SIGRTMIN + 3]
    for number in numbers:
        recording, status, out, err = test.record(victim, "signal", int(number))
        expect_same((status, out, err), (-number, "out\n", "err\n"), "signal", number)
        test.expect_intact(recording.spool)
    for how, number in (("abort", signal.SIGABRT), ("segv", signal.SIGSEGV)):
        recording, status, out, err = test.record(victim, how)
        expect_same((status, out, err), (-number, "out\n", "err\n"), how)
        test.expect_intact(recording.spool)
        (stream,) = test.contents(recording.spool)["streams"]
        expect_same((stream["open"], stream["functions"]["end"]["enters"]), (2, 1), how, "open frames, calls of end")

    script = test.fresh("not_executable")
    script.write_text("nothing", encoding="ascii")
    for program, wanted in ((script, 126), (test.folder, 126), (test.fresh("missing"), 127), ("no-such-program", 127)):
        recording, status, out, err = test.record(program)
        expect_same((status, out), (wanted, ""), program)
        expect(len(err.splitlines()) == 1 and err.startswith("pathspool: "), program, "messages:", err)
        expect(not recording.spool.exists(), program, "left a spool")
    _, status, out, err = test.record(victim, "exit", 0, options=["--no-such-option"])
    expect_same((status, out), (125, ""), "an option that there is not")

"""Sudden death, of the program and of the collector, and a collector that sleeps."""

import json
import os
import random
import signal
import time
from pathlib import Path

from harness import STAGES, Counters, become_subreaper, expect, expect_same, wait_until

KILLS = 100
KILLS_AT_START = 20


def kill_program(test, generator, number, victim, threads):
    """At a random moment, some while it starts. Returns (calls, calls cut short)."""
    delay = generator.choice((generator.uniform(0, 0.01), generator.uniform(0.01, 0.25)))
    counters = Counters(test.fresh("counters"))
    form = "grammar" if number % 10 == 9 else "chunks"
    recording = test.start(victim, counters.path, threads, 0, options=["--form", form])
    pid = wait_until(counters.pid, "victim")
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)
    status, out, err = recording.finish()
    where = f"kill {number} of {victim.name}, {threads} threads, after {delay * 1000:.1f} ms:"
    expect_same((status, out, err), (-signal.SIGKILL, "", ""), where, "record's status, output, messages")
    test.expect_intact(recording.spool)
    result = test.expect_counts(recording.spool, counters, killed=True)
    recording.spool.unlink()
    counters.path.unlink()
    return result


def kill_at_start(test, generator, victim):
    """Before main, be it in the dynamic linker. Returns whether anything was recorded by then."""
    counters = Counters(test.fresh("counters"))
    recording = test.start(victim, counters.path, 1, 0)
    children = Path(f"/proc/{recording.pid}/task/{recording.pid}/children")
    pid = int(wait_until(lambda: children.read_text(encoding="ascii"), "child"))
    time.sleep(generator.uniform(0, 0.003))
    os.kill(pid, signal.SIGKILL)
    status, out, err = recording.finish()
    expect_same((status, out), (-signal.SIGKILL, ""), "killed at its start: record's status, output")
    if not recording.spool.exists():
        expect("nothing was recorded" in err, "killed at its start: messages:", err)
        return False
    test.expect_intact(recording.spool)
    test.expect_counts(recording.spool, counters, killed=True)
    return True


def killed_program(test):
    """SIGKILL at 100 random moments: whatever the program wrote before is there, exactly."""
    generator = random.Random(test.seed)
    sources = ("busy.c", "throwing.cpp", "forking.c")
    victims = [test.build(source, stage) for source in sources for stage in STAGES]
    calls = cut_short = 0
    for number in range(KILLS):
        threads = 1 if number // len(victims) % 2 == 0 else 4
        counted, unfinished = kill_program(test, generator, number, victims[number % len(victims)], threads)
        calls += counted
        cut_short += unfinished
    print(f"{KILLS} kills, {calls} calls counted and recorded, {cut_short} died before they could count themselves")
    expect(calls > KILLS * 1000, "too few calls to mean anything:", calls)
    recorded = sum(kill_at_start(test, generator, victims[0]) for _ in range(KILLS_AT_START))
    print(f"{KILLS_AT_START} kills at the start, {recorded} of them of programs that recorded already")


def events_so_far(test, spool):
    done = test.run("info", "--format", "json", spool)
    return json.loads(done.stdout)["events"] if done.returncode == 0 else 0


def kill_collector(test, victim, arguments, ready):
    """When it is ready, and the program ends as ever. Returns the recording and the program's output."""
    for _ in range(5):
        counters = Counters(test.fresh("counters"))
        recording = test.start(victim, counters.path, *arguments)
        pid = wait_until(counters.pid, "victim")
        ready(recording)
        os.kill(recording.pid, signal.SIGKILL)
        status, out, err = recording.finish()
        try:
            ended = os.waitpid(pid, 0)
            break
        except ChildProcessError:
            print("the program ended before the collector could be killed: once more")
    expect_same((status, err), (-signal.SIGKILL, ""), "record's status, messages")
    expect_same(ended, (pid, 0), "the program and its status")
    test.expect_readable_part(recording.spool)
    return recording, out


def killed_collector(test):
    """The program goes on and ends as ever; the spool is a part of the true trace, and says so."""
    become_subreaper()
    generator = random.Random(test.seed)
    for source, threads in (("busy.c", 1), ("busy.c", 3), ("throwing.cpp", 1)):
        # 90 million events or more: several segments, and a second or more.
        calls = {"busy.c": 1_000_000 if threads == 1 else 700_000, "throwing.cpp": 1_200_000}[source]
        victim = test.build(source)
        began = time.monotonic()
        whole, status, wanted, err = test.record(victim, test.fresh("counters"), threads, calls)
        expect_same((status, err), (0, ""), source, "recorded in peace: status, messages")
        seconds = time.monotonic() - began
        all_events = events_so_far(test, whole.spool)
        recording, out = kill_collector(
            test, victim, (threads, calls),
            lambda one: wait_until(lambda: events_so_far(test, one.spool) > 0, "segment"))
        expect_same(out, wanted, "the program's output")
        events = part_of(test, recording, whole, threads)
        expect(0 < events < all_events, events, "events of", all_events, "are there")
        print(f"{source}, {threads} threads: {events} of {all_events} events are there")
        # At any moment, while it writes or has written nothing.
        for _ in range(4):
            delay = generator.uniform(0, seconds / 3)
            recording, out = kill_collector(test, victim, (threads, calls), lambda _: time.sleep(delay))
            expect_same(out, wanted, "the program's output")
            part_of(test, recording, whole, threads)
            recording.spool.unlink()


def part_of(test, recording, whole, threads):
    """How many events there are. Those of one thread begin the true trace."""
    if threads == 1:
        return test.expect_prefix(recording.spool, whole.spool)
    # Threads get their numbers as it happens.
    return sum(stream["events"] for stream in test.contents(recording.spool)["streams"])


def slow_collector(test):
    """A stopped collector makes the program wait, and nothing is lost."""
    for threads in (1, 4):
        victim = test.build("busy.c")
        counters = Counters(test.fresh("counters"))
        recording = test.start(victim, counters.path, threads, 250_000)
        wait_until(counters.pid, "victim")
        time.sleep(0.1)
        for _ in range(2):
            os.kill(recording.pid, signal.SIGSTOP)
            time.sleep(0.6)  # a ring is full long before that
            before = [slot[2] for slot in counters.slots()]
            time.sleep(0.4)
            expect_same([slot[2] for slot in counters.slots()], before, "the program did not wait")
            expect_same(recording.process.poll(), None, "record's status")
            os.kill(recording.pid, signal.SIGCONT)
            time.sleep(0.05)
        status, _, err = recording.finish()
        expect_same((status, err), (0, ""), "status, messages")
        test.expect_intact(recording.spool)
        calls, _ = test.expect_counts(recording.spool, counters)
        print(f"{threads} threads: {calls} calls, all recorded")

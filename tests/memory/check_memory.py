#!/usr/bin/env python3
"""Packs traces several times larger than the memory it may use and looks at how much it used.

    check_memory.py --pathspool build/release/pathspool --generate build/release/tests/generate_trace

The trace comes through a pipe, so that nothing of it is on a disk. The peak is the kernel's (ru_maxrss), asked for by
GNU time: a child of this interpreter would begin with the interpreter's own peak. Afterwards the spool is intact, and
its text is the trace: two hashes are the same.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile

MEBIBYTE = 1 << 20
# name, kind of trace, events, --memory in MiB, options of pack
CASES = [
    ("random, grammar", "random", 12_000_000, 32, ["--form", "grammar"]),
    ("random, chunks, zstd", "random", 16_000_000, 32, ["--form", "chunks"]),
    ("random, chunks, xz", "random", 6_000_000, 16, ["--form", "chunks", "--codec", "xz"]),
    ("program, grammar of blocks", "model", 30_000_000, 32, ["--form", "grammar", "--symbols", "blocks"]),
]


def run(arguments, command, stdin):
    """Runs it to its end; returns its status and its peak memory in bytes."""
    report = os.path.join(arguments.directory, "peak")
    status = subprocess.run(["/usr/bin/time", "-q", "-f", "%M", "-o", report, *command], stdin=stdin, check=False)
    with open(report, encoding="ascii") as peak:
        return status.returncode, int(peak.read()) * 1024


def hashed(pipe):
    digest, size = hashlib.blake2b(), 0
    while block := pipe.read(MEBIBYTE):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


def generate(arguments, kind, events):
    return subprocess.Popen([arguments.generate, kind, str(events)], stdout=subprocess.PIPE)


def check(arguments, name, kind, events, memory, options):
    spool = os.path.join(arguments.directory, "a.spool")
    generator = generate(arguments, kind, events)
    pack = [arguments.pathspool, "pack", "-", "-o", spool, "--memory", f"{memory}M", *options]
    status, peak = run(arguments, pack, generator.stdout)
    generator.stdout.close()
    generator.wait()
    if status != 0:
        return f"pack ended with status {status}"
    found = []
    if peak > memory * MEBIBYTE:
        found.append(f"pack took {peak / MEBIBYTE:.1f} MiB of the {memory} it may take")
    if subprocess.run([arguments.pathspool, "check", spool], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        found.append("check does not find the spool intact")
    generator = generate(arguments, kind, events)
    expected, size = hashed(generator.stdout)
    generator.wait()
    with subprocess.Popen([arguments.pathspool, "cat", spool], stdout=subprocess.PIPE) as cat:
        actual, _ = hashed(cat.stdout)
    if actual != expected:
        found.append("the text that comes back differs")
    print(f"{name}: {size / MEBIBYTE:.0f} MiB of text, {events * 8 / MEBIBYTE:.0f} MiB of events, bound {memory} MiB, "
          f"peak {peak / MEBIBYTE:.1f} MiB, spool {os.path.getsize(spool) / MEBIBYTE:.1f} MiB")
    return "; ".join(found)


def main():
    parser = argparse.ArgumentParser(description="Packing stays within its memory.")
    parser.add_argument("--pathspool", required=True)
    parser.add_argument("--generate", required=True)
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="pathspool-memory-") as arguments.directory:
        for case in CASES:
            problem = check(arguments, *case)
            if problem:
                print(f"{case[0]}: {problem}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

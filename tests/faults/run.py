#!/usr/bin/env python3
"""Runs one case of what goes wrong while a program is recorded, or all.

    run.py --pathspool build/release/pathspool --counts build/release/tests/faults/spool_counts [CASE...]

Random choices come from --seed, which a failure prints. Status 77: the machine does not let the case happen.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True  # the folder of sources stays as it is

import disks
import kills
import programs
import signals
from harness import Failed, Skipped, Test

CASES = {
    case.__name__: case
    for case in (
        kills.killed_program,
        kills.killed_collector,
        kills.slow_collector,
        disks.full_disk,
        disks.full_file_system,
        disks.vanished_folder,
        disks.untouched_output,
        programs.obstacles,
        programs.many_threads,
        programs.unrecorded,
        programs.scribbled_memory,
        programs.long_run,
        signals.signals,
        signals.statuses,
    )
}
SKIPPED_STATUS = 77


def run(name, arguments):
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pathspool_faults_") as folder:
        os.chmod(folder, 0o755)
        test = Test(arguments.pathspool.resolve(), arguments.counts.resolve(), folder, arguments.seed,
                    arguments.seconds)
        try:
            CASES[name](test)
        except Failed as failure:
            print(f"{name}: FAILED (seed {arguments.seed}): {failure}")
            if arguments.trace:
                traceback.print_exc()
            test.clean_up()
            return 1
        except Skipped as reason:
            print(f"{name}: skipped: {reason}")
            return SKIPPED_STATUS
    print(f"{name}: passed in {time.monotonic() - began:.1f} s")
    return 0


def main():
    parser = argparse.ArgumentParser(description="Faults while a program is recorded.")
    parser.add_argument("--pathspool", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True, help="the program made of spool_counts.cpp")
    parser.add_argument("--seed", type=int, default=20240)
    parser.add_argument("--seconds", type=float, default=10, help="how long many_threads goes on")
    parser.add_argument("--trace", action="store_true", help="say where a case failed")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    arguments = parser.parse_args()
    for name in arguments.cases:
        if name not in CASES:
            parser.error(f"no case '{name}'")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # victims die by design
    results = [run(name, arguments) for name in arguments.cases or CASES]
    if 1 in results:
        return 1
    return SKIPPED_STATUS if SKIPPED_STATUS in results else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs command-line tests: transcripts of a shell, with what it should print.

    python3 tests/cli/run.py --pathspool build/release/pathspool tests/cli/*.t

In a .t file a line that begins with two blanks and `$ ` is a command for bash, `  > ` continues
the command before it, and the other lines that begin with two blanks are what it should print:
standard output and standard error together, as they come. `[N]` at the end is its exit status if
that is not 0. A line of the expectation that ends with ` (re)` is a regular expression for the
whole line. All lines without the two blanks are prose.

Each file runs in one bash, in an empty directory of its own; PATH finds the program under test
first, and TESTDIR is the directory of the .t file.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

INDENT = "  "
TIME_LIMIT_SECONDS = 300


@dataclass
class Step:
    """A command, the prose before it, and what it should print."""

    prose: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def parse(text):
    """The steps of a transcript; the last has no command if the file ends with prose."""
    steps = [Step()]
    for line in text.splitlines():
        if line.startswith(INDENT + "$ "):
            if steps[-1].command:
                steps.append(Step())
            steps[-1].command.append(line[len(INDENT) + 2 :])
        elif line.startswith(INDENT + "> ") and steps[-1].command and not steps[-1].expected:
            steps[-1].command.append(line[len(INDENT) + 2 :])
        elif line.startswith(INDENT) and steps[-1].command:
            steps[-1].expected.append(line[len(INDENT) :])
        else:
            if steps[-1].command:
                steps.append(Step())
            steps[-1].prose.append(line)
    return steps


def shell_script(steps, salt):
    """After each command the shell prints the salt, the step's number and the exit status."""
    lines = []
    for number, step in enumerate(steps):
        lines += step.command
        if step.command:
            lines.append(f'echo "{salt} {number} $?"')
    return "\n".join(lines) + "\n"


def outputs(output, steps, salt):
    """What each command printed, as lines; None if the shell never came that far."""
    found = [None] * len(steps)
    start = 0
    for mark in re.finditer(rf"{salt} (\d+) (\d+)\n", output):
        text = output[start : mark.start()]
        start = mark.end()
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        else:
            lines[-1] += " (no newline)"
        if mark[2] != "0":
            lines.append(f"[{mark[2]}]")
        found[int(mark[1])] = lines
    return found


def matches(expected, actual):
    if expected.endswith(" (re)"):
        return re.fullmatch(expected[: -len(" (re)")], actual) is not None
    return expected == actual


def merged(step, actual):
    """The actual lines, with each expectation that a line meets in the line's place."""
    if actual is None:
        return ["(not reached)"]
    pairs = zip(step.expected, actual)
    known = [expected if matches(expected, line) else line for expected, line in pairs]
    return known + actual[len(known) :]


def transcript(steps, bodies):
    lines = []
    for step, body in zip(steps, bodies):
        lines += step.prose
        for number, command in enumerate(step.command):
            lines.append(f"{INDENT}{'>' if number else '$'} {command}")
        lines += [INDENT + line for line in body]
    return lines


def run(test, program):
    """Prints how the file's transcript differs; returns whether it does not."""
    steps = parse(test.read_text(encoding="utf-8"))
    salt = f"--{os.urandom(8).hex()}--"
    with tempfile.TemporaryDirectory(prefix="pathspool-cli-") as directory:
        environment = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "HOME": directory,
            "TMPDIR": directory,
            "LC_ALL": "C.UTF-8",
            "TESTDIR": str(test.resolve().parent),
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "STEP"):
            if name in os.environ:
                environment[name] = os.environ[name]
        finished = subprocess.run(
            ["bash", "--norc", "-c", shell_script(steps, salt)],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    printed = outputs(finished.stdout.decode("utf-8", "backslashreplace"), steps, salt)
    expected = transcript(steps, [step.expected for step in steps])
    actual = transcript(
        steps, [merged(step, lines) if step.command else [] for step, lines in zip(steps, printed)]
    )
    difference = list(difflib.unified_diff(expected, actual, f"{test} (expected)", f"{test} (actual)", lineterm=""))
    print("\n".join(difference) if difference else f"{test}: passed")
    return not difference


def main():
    parser = argparse.ArgumentParser(description="Runs command-line tests.")
    parser.add_argument("--pathspool", required=True, type=Path, help="the program under test")
    parser.add_argument("tests", nargs="+", type=Path, help="transcripts (.t files)")
    arguments = parser.parse_args()
    program = arguments.pathspool.resolve()
    if program.name != "pathspool" or not os.access(program, os.X_OK):
        parser.error(f"{program} is not an executable named 'pathspool'")
    results = [run(test, program) for test in arguments.tests]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

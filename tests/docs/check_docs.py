#!/usr/bin/env python3
"""Checks what the documents claim.

    python3 tests/docs/check_docs.py --pathspool build/release/pathspool [--update]

- Each command of a ```console block in README.md prints what stands below it. The blocks of the file run
  in order in one bash, in a copy of the source tree's top level. --update writes what they print into the file.
- Each ```cpp block of README.md is part of the example program, word for word.
- Each relative link leads to a file, and each heading that a link names is there.
- Each path in backticks exists. A word is taken for a path if it begins with one of our folders or if it ends as
  our files do.
- Each make target and each preset that is named exists.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(f"docs/{p.name}" for p in (SOURCE / "docs").glob("*.md"))]
EXAMPLE = "examples/count_calls/count_calls.cpp"
TIME_LIMIT_SECONDS = 60

# Where a path in backticks may start, beside the top of the source tree.
ROOTS = [".", "include", "src"]
OUR_ENDINGS = (".h", ".cpp", ".md", ".sh", ".py", ".cmake", ".t", ".csv", ".in")
# Made by the build.
MADE = re.compile(r"build(/(release|dev|tsan|fuzz)(/.*)?)?/?")


def blocks_of(text, language):
    """The bodies of the fenced blocks in this language, with where they are."""
    pattern = rf"^```{language}\n(.*?)^```$"
    return list(re.finditer(pattern, text, re.MULTILINE | re.DOTALL))


def outside_of_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def commands_of(block):
    """Pairs of a command and what should follow it."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif steps:
            steps[-1][1].append(line)
    return steps


def outputs_of(commands, program):
    """What each command prints, as lines, with its status at the end if that is not 0."""
    salt = f"--{os.urandom(8).hex()}--"
    script = "".join(f"{command}\necho {salt} $?\n" for command in commands)
    with tempfile.TemporaryDirectory(prefix="pathspool-docs-") as folder:
        for entry in SOURCE.iterdir():
            if entry.name not in ("build", ".git"):
                (Path(folder) / entry.name).symlink_to(entry)
        (Path(folder) / "build/release").mkdir(parents=True)
        (Path(folder) / "build/release/pathspool").symlink_to(program)
        finished = subprocess.run(
            ["bash", "--norc", "-c", script],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    pieces = re.split(rf"{salt} (\d+)\n", finished.stdout.decode("utf-8", "backslashreplace"))
    found = []
    for output, status in zip(pieces[::2], pieces[1::2]):
        found.append(output.splitlines() + ([f"[{status}]"] if status != "0" else []))
    return found + [["(not reached)"]] * (len(commands) - len(found))


def with_outputs(text, program):
    """The text with what its commands really print."""
    blocks = blocks_of(text, "console")
    commands = [command for block in blocks for command, _ in commands_of(block[1])]
    outputs = iter(outputs_of(commands, program) if commands else [])
    result, end = "", 0
    for block in blocks:
        result += text[end : block.start(1)]
        for command, _ in commands_of(block[1]):
            result += "".join(line + "\n" for line in [f"$ {command}", *next(outputs)])
        end = block.end(1)
    return result + text[end:]


def check_commands(program, update):
    path = SOURCE / "README.md"
    text = path.read_text(encoding="utf-8")
    real = with_outputs(text, program)
    if update and real != text:
        path.write_text(real, encoding="utf-8")
        return []
    return list(difflib.unified_diff(text.splitlines(), real.splitlines(), "README.md says", "it prints", lineterm=""))


def check_example():
    example = (SOURCE / EXAMPLE).read_text(encoding="utf-8")
    text = (SOURCE / "README.md").read_text(encoding="utf-8")
    return [f"README.md: C++ that is not in {EXAMPLE}:\n{block[1]}" for block in blocks_of(text, "cpp") if block[1] not in example]


def anchors_of(text):
    headings = re.findall(r"^#+ (.*)$", outside_of_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def check_links(name, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", outside_of_blocks(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (SOURCE / name).parent / path if path else SOURCE / name
        if not file.exists():
            yield f"{name}: link to {target}: no such file"
        elif anchor and anchor not in anchors_of(file.read_text(encoding="utf-8")):
            yield f"{name}: link to {target}: no such heading"


def looks_like_a_path(word):
    # NAME stands for whatever the reader chooses.
    if not re.fullmatch(r"[\w.*+/-]+", word) or "NAME" in word:
        return False
    first = word.split("/")[0]
    folders = [entry.name for root in ROOTS for entry in (SOURCE / root).iterdir() if entry.is_dir()]
    return ("/" in word and first in folders) or word.endswith(OUR_ENDINGS)


def exists(word, beside):
    if MADE.fullmatch(word):
        return True
    folders = [beside, *(SOURCE / root for root in ROOTS)]
    if "/" not in word:  # a file's name alone: the text around it says where it is
        return any(any(SOURCE.glob(pattern + word)) for pattern in ("", "docs/", "include/**/", "src/**/", "tests/**/"))
    return any(any(folder.glob(word.rstrip("/"))) for folder in folders)


def check_paths(name, text):
    for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", outside_of_blocks(text)):
        for word in code.split():
            if looks_like_a_path(word) and not exists(word, (SOURCE / name).parent):
                yield f"{name}: `{word}`: no such file"


def check_make_and_presets(name, text):
    makefile = (SOURCE / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    presets = {preset["name"] for preset in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}
    for block in [*blocks_of(text, "sh"), *re.finditer(r"`([^`\n]+)`", outside_of_blocks(text))]:
        for target in re.findall(r"(?:^|&& )make ([a-z-]+)", block[1], re.MULTILINE):
            if target not in targets:
                yield f"{name}: make has no target {target}"
        for preset in re.findall(r"--preset[ =]([a-z]+)", block[1]):
            if preset not in presets:
                yield f"{name}: there is no preset {preset}"


def main():
    parser = argparse.ArgumentParser(description="Checks what the documents claim.")
    parser.add_argument("--pathspool", required=True, type=Path, help="the program under test")
    parser.add_argument("--update", action="store_true", help="write the real output into README.md")
    arguments = parser.parse_args()
    problems = check_commands(arguments.pathspool.resolve(), arguments.update) + check_example()
    for name in DOCUMENTS:
        text = (SOURCE / name).read_text(encoding="utf-8")
        for check in (check_links, check_paths, check_make_and_presets):
            problems += check(name, text)
    print("\n".join(problems) if problems else "documents: passed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds, runs and records small programs and compares what was recorded with what they should do.

    python3 tests/endtoend/run.py --pathspool build/release/pathspool --graph-walk build/release/tests/graph_walk

Each program under programs/ says in comments what should be recorded of it (directives.py). It is
compiled with `pathspool cc` or `c++` at every level of optimisation and both stages, with every clang
that there is a plugin for, and must do and print what the same program does when clang alone compiles
it; the spool must be intact, its call structure must be the expected one, and its blocks must be walks
through the functions' control-flow graphs.
"""

import argparse
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import case
from directives import Configuration, Program

HERE = Path(__file__).resolve().parent
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
STAGES = ["source", "optimized"]
# Older compilers differ in what they optimise, not in how that is recorded.
OTHER_VERSIONS = [("-O0", "source"), ("-O2", "source"), ("-O2", "optimized")]
SAMPLE = [("-O2", "source")]


def versions_of(pathspool):
    """The versions of LLVM that there are plugins for, newest first."""
    plugins = (pathspool.parent / "lib" / "pathspool").glob("pathspool_pass_*.so")
    return sorted((int(re.search(r"(\d+)\.so", plugin.name)[1]) for plugin in plugins), reverse=True)


def clang(name, version):
    own = Path(f"/usr/lib/llvm-{version}/bin/{name}")
    return shutil.which(f"{name}-{version}") or (str(own) if own.exists() else None)


def configurations(program, versions, sample):
    """All that the program is to be tested in."""
    newest = [(level, stage) for level in LEVELS for stage in STAGES]
    result = []
    for version in versions:
        pairs = newest if version == versions[0] else OTHER_VERSIONS
        if program.once:
            pairs = [(program.levels or ["-O2"])[0:1] + ["source"]] if version == versions[0] else []
        elif sample:
            pairs = SAMPLE if version == versions[0] else []
        for level, stage in pairs:
            if program.levels and level not in program.levels:
                continue
            if program.stages and stage not in program.stages:
                continue
            if program.versions == ["newest"] and version != versions[0]:
                continue
            result.append(Configuration(version, level, stage))
    return result


def programs_in(groups, pattern):
    found = []
    for group in groups:
        folder = HERE / "programs" / group
        if not folder.is_dir():
            sys.exit(f"run.py: no group '{group}'")
        found += sorted(file for file in folder.iterdir() if file.suffix in (".c", ".cpp"))
    return [Program(file) for file in found if re.search(pattern, f"{file.parent.name}/{file.name}")]


def parse_arguments():
    parser = argparse.ArgumentParser(description="Runs the end-to-end tests of the recorder.")
    parser.add_argument("--pathspool", required=True, type=Path, help="the program under test")
    parser.add_argument("--graph-walk", type=Path, help="the tool that walks through the graphs")
    parser.add_argument("--group", action="append", help="a folder of programs/ (default: all)")
    parser.add_argument("--only", default="", help="a regular expression for GROUP/FILE")
    parser.add_argument("--configuration", default="", help="a regular expression, such as 'clang 19 -O2'")
    parser.add_argument("--sample", action="store_true", help="one configuration of each program")
    parser.add_argument("--every", type=int, default=1, help="only every Nth program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at once")
    parser.add_argument("--bless", action="store_true", help="write golden files anew")
    parser.add_argument("--show", action="store_true", help="print the structures that were recorded")
    parser.add_argument("--keep", type=Path, help="a folder for what is built, to look at it later")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    started = time.monotonic()
    versions = versions_of(arguments.pathspool.resolve())
    for version in [version for version in versions if not clang("clang++", version)]:
        print(f"skipped: clang {version}, which is not installed")
        versions.remove(version)
    if not versions:
        sys.exit("run.py: there is no plugin, or no clang for it")
    groups = arguments.group or sorted(path.name for path in (HERE / "programs").iterdir() if path.is_dir())
    chosen = programs_in(groups, arguments.only)[:: arguments.every]
    # A program that aborts should leave nothing behind; one that recurses deeply needs a stack.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="pathspool-endtoend-") as folder:
        tools = case.Tools(
            pathspool=arguments.pathspool.resolve(),
            graph_walk=arguments.graph_walk and arguments.graph_walk.resolve(),
            clangs={v: (clang("clang", v), clang("clang++", v)) for v in versions},
            golden=HERE / "golden",
            newest=versions[0],
            bless=arguments.bless,
            show=arguments.show,
        )
        work = (arguments.keep or Path(folder)).resolve()
        cases = [
            case.Case(tools, program, configuration, work)
            for program in chosen
            for configuration in configurations(program, versions, arguments.sample)
            if re.search(arguments.configuration, str(configuration))
        ]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(lambda one: one.run(), cases))
    for one, problems in zip(cases, results):
        for problem in problems:
            print(f"{one}: {problem}")
    failed = sum(bool(problems) for problems in results)
    seconds = time.monotonic() - started
    print(f"{len(chosen)} programs, {len(cases)} configurations of them, {failed} failed ({seconds:.0f} s)")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())

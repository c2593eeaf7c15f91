#!/usr/bin/env python3
"""Records the benchmark programs on their small workloads and holds each recording against what must be true of it.

    python3 tests/programs/run.py --pathspool build/release/pathspool --graph-walk build/release/tests/graph_walk \\
        --drawn-paths build/release/tests/programs/drawn_paths --play-back build/release/tests/programs/play_back \\
        --scratch build/bench-programs [--only NAME]... [--stage NAME]...

For each program and stage: its output is the plain build's, `check` finds the spool intact, no note warns of anything,
every event is a step through the stored control-flow graphs, paths drawn from it are found by every scheme where the
obvious matcher finds them, its decisions play back as the same events, and a second recording has as many events. The
spools stay in SCRATCH/small-spools for other tests. Status 77, which ctest takes for skipped, if no sources can be fetched at all.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "programs"))

from fetch import FetchError, SourceFetcher  # noqa: E402
from recipes import BY_NAME, RECIPES, BuildError  # noqa: E402
from variants import build_program, standard_variants  # noqa: E402
from workloads import prepare_run, run_program  # noqa: E402

SKIPPED = 77


def output_of(command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def record(options, name, place, spool):
    """What the run produced, and what `info` tells of the recording."""
    run = run_program(name, place, True, wrapper=(str(options.pathspool), "record", "-o", str(spool)))
    if run.failure():
        raise BuildError(run.failure())
    return run, json.loads(output_of([options.pathspool, "info", spool, "--format", "json"]).stdout)


def problems_of(options, name, place, spool, expected_digest):
    """What is wrong with the program's recording, a line each; and how many events it has."""
    found = []
    run, info = record(options, name, place, spool)
    if run.digest != expected_digest:
        found.append("its output differs from the plain build's")
    if run.stderr:
        found.append(f"it says: {run.stderr.strip().splitlines()[0]}")
    found += [f"a note: {note['text']}" for note in info["notes"]]
    check = output_of([options.pathspool, "check", spool])
    if check.returncode != 0:
        found.append(check.stdout.strip())
    walk = output_of([options.graph_walk, spool])
    if walk.returncode != 0:
        found.append(f"off the graph: {walk.stdout.strip()}")
    for tool in (options.drawn_paths, options.play_back):
        asked = output_of([tool, spool])
        if asked.returncode != 0:
            found.append(f"{tool.name}: {asked.stdout.strip()}")
    again = spool.with_suffix(".again")
    _, second = record(options, name, place, again)
    again.unlink()
    if second["events"] != info["events"]:
        found.append(f"{info['events']} events, then {second['events']}")
    return found, info["events"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pathspool", type=pathlib.Path, required=True)
    parser.add_argument("--graph-walk", type=pathlib.Path, required=True)
    parser.add_argument("--drawn-paths", type=pathlib.Path, required=True)
    parser.add_argument("--play-back", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--only", action="append", choices=BY_NAME)
    parser.add_argument("--stage", action="append", choices=("source", "optimized"))
    options = parser.parse_args()
    options.pathspool, options.scratch = options.pathspool.resolve(), options.scratch.resolve()
    spools = options.scratch / "small-spools"
    spools.mkdir(parents=True, exist_ok=True)
    variants = standard_variants(options.pathspool)
    fetcher = SourceFetcher(options.scratch)
    failures = fetched = 0
    for recipe in RECIPES:
        if options.only and recipe.name not in options.only:
            continue
        digest = None
        for stage in ("plain", *(options.stage or ("source", "optimized"))):
            folder = options.scratch / stage / recipe.name
            try:
                build_program(recipe, variants[stage], folder, fetcher, options.scratch)
                place = prepare_run(recipe.name, folder, True, options.scratch)
                if stage == "plain":
                    digest = run_program(recipe.name, place, True).digest
                    fetched += 1
                    continue
                found, events = problems_of(options, recipe.name, place, spools / f"{recipe.name}-{stage}.spool", digest)
            except FetchError as error:
                print(f"{recipe.name}: not fetched: {error}", flush=True)
                break
            except BuildError as error:
                found, events = [str(error)], 0
            failures += bool(found)
            print(f"{recipe.name}, {stage}: {'; '.join(found) or f'ok, {events} events'}", flush=True)
    if failures:
        return 1
    return 0 if fetched else SKIPPED


if __name__ == "__main__":
    sys.exit(main())

"""The ways a program is built, and building it.

| variant | compiler |
| --- | --- |
| plain | clang-19 -O2 |
| source, optimized | pathspool cc -O2 with that --pathspool-stage |
| sancov | -fsanitize-coverage=trace-pc-guard and an empty callback |
| uftrace | -pg |
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess

from recipes import BuildError, SUPPORT, prepared_tree

C, CXX = "clang-19", "clang++-19"


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    c: tuple
    cxx: tuple
    flags: tuple = ("-O2",)
    compile_only: tuple = ()
    # A source file of support/ that is compiled plainly and linked in.
    callback: str = ""
    # Files of the compiler (ours) whose change asks for a new build.
    watch: tuple = ()


def cxx_of(command):
    """The C++ compiler that goes with a C compiler's command."""
    words = list(command)
    last = words[-1]
    if last == "cc":
        words[-1] = "c++"
    elif "clang" in last:
        words[-1] = last.replace("clang", "clang++", 1) if "clang++" not in last else last
    elif "gcc" in last:
        words[-1] = last.replace("gcc", "g++")
    return tuple(words)


def standard_variants(pathspool):
    """By name; `pathspool` is the program that `make build` leaves."""
    ours = (str(pathspool), "cc")
    # The runtime is a shared library: a new one is used without a new build.
    recorder = pathspool.parent / "lib" / "pathspool"
    watched = (*sorted(recorder.glob("pathspool_pass_*.so")), recorder / "pathspool_start.o")

    def stage(name):
        return Variant(name, ours, cxx_of(ours), flags=("-O2", f"--pathspool-stage={name}"), watch=watched)

    def coverage(name, kinds, callback):
        return Variant(name, (C,), (CXX,), compile_only=(f"-fsanitize-coverage={kinds}",), callback=callback)

    found = (
        Variant("plain", (C,), (CXX,)), stage("source"), stage("optimized"),
        coverage("sancov", "trace-pc-guard", "empty_callback.c"),
        Variant("uftrace", (C,), (CXX,), flags=("-O2", "-pg")),
        # To size workloads with: all blocks, and all calls.
        coverage("count-blocks", "bb,no-prune,trace-pc-guard", "counting_callback.c"),
        coverage("count-calls", "func,trace-pc-guard", "counting_callback.c"),
    )
    return {variant.name: variant for variant in found}


def compile_all(commands):
    """Runs compile commands on all cores; the first failure is raised."""
    def one(command):
        try:
            result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            raise BuildError(f"{command[0]}: {error.strerror}") from error
        if result.returncode != 0:
            raise BuildError(f"{shlex.join(map(str, command))} failed:\n{result.stdout[-3000:]}")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, commands))


def build_program(recipe, variant, folder, fetcher, scratch):
    """Builds folder/NAME if it is not there or was made by other commands; says whether it was built."""
    tree = prepared_tree(fetcher, recipe, scratch)
    objects = folder / "objects"
    command = [*(variant.cxx if recipe.cxx else variant.c)]
    common = [*recipe.flags, *variant.flags]
    common += [f"-I{tree / include}" for include in recipe.includes] + [f"-D{define}" for define in recipe.defines]
    compiles, made = [], []
    for source in recipe.source_files(tree):
        made.append(objects / (str(source.relative_to(tree)).replace("/", "_") + ".o"))
        compiles.append([*command, *common, *variant.compile_only, "-c", str(source), "-o", str(made[-1])])
    if variant.callback:
        made.append(objects / (variant.callback + ".o"))
        compiles.append([C, "-O2", "-c", str(SUPPORT / variant.callback), "-o", str(made[-1])])
    program = folder / recipe.name
    partial = folder / f"{recipe.name}.partial"
    link = [*command, *variant.flags, *map(str, made), *(f"-l{library}" for library in recipe.libraries), "-o",
            str(partial)]

    stamp = folder / "stamp"
    wanted = stamp_of([*compiles, link], variant)
    if program.exists() and stamp.exists() and stamp.read_text() == wanted:
        return False
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir(parents=True)
    compile_all(compiles)
    compile_all([link])
    for file in recipe.data:
        shutil.copy(tree / file, folder / pathlib.Path(file).name)
    partial.rename(program)
    stamp.write_text(wanted)
    return True


def stamp_of(commands, variant):
    """Changes when a command, the callback or our compiler does."""
    digest = hashlib.sha256(json.dumps(commands).encode())
    if variant.callback:
        digest.update((SUPPORT / variant.callback).read_bytes())
    for path in map(pathlib.Path, variant.watch):
        digest.update(path.read_bytes() if path.exists() else b"")
    if variant.watch:
        # What our wrapper makes of a command may change too.
        asked = [*commands[0][:-4], "-###", *commands[0][-4:]]
        try:
            digest.update(subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout)
        except OSError:
            pass  # compiling will say so
    return digest.hexdigest() + "\n"

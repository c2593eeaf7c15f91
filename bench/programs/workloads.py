"""What each program is given to do, in two sizes, and how one run of it is made and judged.

`full` is meant to make 50 to 150 million events at the optimized stage, `small` about 2 million.
"""

import ctypes
import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import threading
import time

import inputs

# Tables hashed by address (lua's) make paths depend on where things lie: what is started from here has no address space
# randomization, where that is allowed.
ADDR_NO_RANDOMIZE = 0x0040000
ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)

WORKLOAD = pathlib.Path(__file__).resolve().parent / "workload"


@dataclasses.dataclass(frozen=True)
class Workload:
    """`make(small)` gives the input's bytes; the program runs as ./NAME in its own folder."""
    input: str
    make: object
    arguments: tuple = ()
    stdin: bool = False
    # Files that the program writes: part of its result, as standard output is.
    outputs: tuple = ()
    # The scripts' size, as an argument or as a first line.
    full_scale: int = 0
    small_scale: int = 0

    def command(self, name, small):
        scale = str(self.small_scale if small else self.full_scale)
        return [f"./{name}", *(scale if argument == "SCALE" else argument for argument in self.arguments)]


def sized(function, seed, full, small):
    return lambda is_small: function(seed, *(small if is_small else full)).encode()


def scheme(is_small):
    scale = SCHEME_SCALES[is_small]
    return f"(define scale {scale})\n".encode() + (WORKLOAD / "mixture.scm").read_bytes()


SCHEME_SCALES = {False: 10, True: 0}

WORKLOADS = {
    "bzip2": Workload("input/text", sized(inputs.prose, 1, (1_800_000,), (36_000,)), ("-9", "-c", "input/text")),
    "gzip": Workload("input/text", sized(inputs.prose, 2, (2_500_000,), (60_000,)), ("-6", "-n", "-c", "input/text")),
    "ncompress": Workload("input/text", sized(inputs.prose, 3, (16_000_000,), (400_000,)), ("-c", "input/text")),
    "lua": Workload("input/mixture.lua", lambda is_small: (WORKLOAD / "mixture.lua").read_bytes(),
                    ("input/mixture.lua", "SCALE"), full_scale=90, small_scale=1),
    "tcc": Workload("input/code.c", sized(inputs.c_source, 4, (1300,), (24,)),
                    ("-nostdinc", "-c", "input/code.c", "-o", "output/code.o"), outputs=("output/code.o",)),
    "sqlite3": Workload("input/script.sql", sized(inputs.sql, 5, (4500,), (80,)), ("-batch", ":memory:"), stdin=True),
    "tinyscheme": Workload("input/mixture.scm", scheme, ("input/mixture.scm",)),
    "minisat": Workload("input/formula.cnf", sized(inputs.cnf, 6, (225, 4.26), (120, 4.26)),
                        ("-verb=0", "input/formula.cnf", "output/answer"), outputs=("output/answer",)),
    "xmlwf": Workload("input/library.xml", sized(inputs.xml, 7, (11000,), (320,)),
                      ("-n", "-d", "output", "input/library.xml"), outputs=("output/library.xml",)),
}


@dataclasses.dataclass
class Run:
    """One run: how it ended, what it cost, and a digest of all that it produced."""
    status: int
    user: float
    system: float
    wall: float
    digest: str
    stderr: str
    good_statuses: tuple = (0,)

    def failure(self):
        """Why the run does not count, or None."""
        if self.status in self.good_statuses:
            return None
        how = f"signal {-self.status}" if self.status < 0 else f"status {self.status}"
        lines = self.stderr.strip().splitlines()
        return f"{how}: {lines[-1][:160]}" if lines else how


# minisat says with its status whether the formula can be satisfied.
GOOD_STATUSES = {"minisat": (10, 20)}


def prepare_run(name, folder, small, scratch):
    """The folder to run `folder`'s program in: it is linked there as ./NAME, with its input, which is made if need be."""
    workload = WORKLOADS[name]
    size = "small" if small else "full"
    store = scratch / "inputs" / size / name
    path = store / pathlib.Path(workload.input).name
    stamp = store / "version"
    if not path.exists() or not stamp.exists() or stamp.read_text() != fingerprint():
        store.mkdir(parents=True, exist_ok=True)
        path.write_bytes(workload.make(small))
        stamp.write_text(fingerprint())
    place = folder / f"run-{size}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "input").symlink_to(store, target_is_directory=True)
    for file in folder.iterdir():
        if file.is_file() and file.name != "stamp":
            (place / file.name).symlink_to(file)
    return place


def fingerprint():
    """Changes with anything that inputs are made from."""
    sources = [pathlib.Path(inputs.__file__), pathlib.Path(__file__), *sorted(WORKLOAD.iterdir())]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def run_program(name, folder, small, wrapper=(), environment=None, timeout=600):
    """Runs the workload in `folder`, under `wrapper` if there is one."""
    workload = WORKLOADS[name]
    output = folder / "output"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    # A small, fixed environment: its size moves the stack, and with it times.
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": str(folder), **(environment or {})}
    stdout_path, stderr_path = folder / "stdout", folder / "stderr"
    with open(folder / workload.input if workload.stdin else os.devnull, "rb") as stdin, \
         open(stdout_path, "wb") as stdout, open(stderr_path, "wb") as stderr:
        command = [*wrapper, *workload.command(name, small)]
        start = time.perf_counter()
        try:
            process = subprocess.Popen(command, cwd=folder, env=env, stdin=stdin, stdout=stdout, stderr=stderr)
        except OSError as error:
            return Run(127, 0, 0, 0, "", f"{command[0]}: {error.strerror}")
        # Not Popen.wait(timeout): it looks only now and then, and that would be the wall time.
        watchdog = threading.Timer(timeout, process.kill)
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    digest = hashlib.sha256()
    for path in (stdout_path, *(folder / file for file in workload.outputs)):
        digest.update(path.read_bytes() if path.exists() else b"(none)")
        digest.update(b"\0")
    return Run(process.returncode, usage.ru_utime, usage.ru_stime, wall, digest.hexdigest(),
               stderr_path.read_text(errors="replace"), GOOD_STATUSES.get(name, (0,)))

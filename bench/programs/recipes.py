"""How each program is compiled: a list of sources, defines and libraries of our own.

The programs' own build systems only make what must be made (headers of gzip, sqlite3's one big file), once, with the
plain compiler. So one command and one set of flags build any variant, and nothing else differs between variants.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess

SUPPORT = pathlib.Path(__file__).resolve().parent / "support"
PLAIN_C = "clang-19"


class BuildError(Exception):
    """A program could not be built; the message is for people."""


@dataclasses.dataclass(frozen=True)
class Recipe:
    """Sources are glob patterns below the prepared tree; `prepare` turns the unpacked tree into that."""
    name: str
    package: str
    sources: tuple
    without: tuple = ()
    includes: tuple = (".",)
    defines: tuple = ()
    libraries: tuple = ()
    cxx: bool = False
    prepare: object = None
    # Files of the tree that the program reads when it runs, copied beside it.
    data: tuple = ()
    # What the sources' age excuses; warnings of other people's code are not ours to mend.
    flags: tuple = ("-w",)

    def source_files(self, tree):
        excluded = {path for pattern in self.without for path in tree.glob(pattern)}
        files = []
        for pattern in self.sources:
            found = sorted(set(tree.glob(pattern)) - excluded)
            if not found:
                raise BuildError(f"{self.name}: no source matches {pattern}")
            files += found
        return files


def run_quietly(command, cwd, **environment):
    """Runs one step of a preparation; its output is shown only if it fails."""
    result = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env={**os.environ, "LC_ALL": "C", **environment})
    if result.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))} failed:\n{result.stdout[-2000:]}")


def prepare_gzip(tree):
    run_quietly(["./configure", "--quiet"], tree, CC=PLAIN_C)
    # Patches touch inputs of the autotools, which must not run again for that. The library is built to know its parts:
    # which replacements of C library functions this machine needs is configure's to say.
    frozen = [f"{tool}=:" for tool in ("ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE")]
    run_quietly(["make", "-C", "lib", *frozen], tree)
    run_quietly(["make", "version.c", "version.h", *frozen], tree)
    members = subprocess.run(["ar", "t", "lib/libgzip.a"], cwd=tree, text=True, check=True, capture_output=True).stdout
    parts = tree / "parts"
    parts.mkdir()
    for member in sorted(set(members.split()) - {"libgzip_a-xalloc-die.o"}):  # util.c has its own
        source = member.removeprefix("libgzip_a-").removesuffix(".o") + ".c"
        [path] = [path for path in (tree / "lib").rglob(source)]
        # A file that includes the real one keeps relative includes as they are.
        (parts / source).write_text(f'#include "../{path.relative_to(tree)}"\n')


def prepare_sqlite3(tree):
    run_quietly(["./configure", "--quiet", "--disable-tcl", "--disable-readline"], tree, CC=PLAIN_C)
    run_quietly(["make", "sqlite3.c", "shell.c"], tree)


def prepare_lua(tree):
    # Debian's rules make it; it says where modules of other packages are, and there are none here.
    (tree / "src" / "lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "none"\n')


def prepare_tcc(tree):
    shutil.copy(SUPPORT / "tcc_config.h", tree / "config.h")


def prepare_expat(tree):
    shutil.copy(SUPPORT / "expat_config.h", tree / "expat" / "lib" / "expat_config.h")


RECIPES = (
    Recipe("bzip2", "bzip2",
           sources=("blocksort.c", "bzip2.c", "bzlib.c", "compress.c", "crctable.c", "decompress.c", "huffman.c",
                    "randtable.c"),
           defines=("_FILE_OFFSET_BITS=64",)),
    Recipe("gzip", "gzip",
           sources=("bits.c", "deflate.c", "gzip.c", "inflate.c", "trees.c", "unlzh.c", "unlzw.c", "unpack.c",
                    "unzip.c", "util.c", "version.c", "zip.c", "parts/*.c"),
           includes=(".", "lib", "lib/glthread"), defines=("HAVE_CONFIG_H",), prepare=prepare_gzip),
    Recipe("ncompress", "ncompress", sources=("compress42.c",),
           defines=("DIRENT=1", "UTIME_H=1", "USERMEM=800000", "REGISTERS=3")),
    Recipe("lua", "lua5.4", sources=("src/*.c",), without=("src/luac.c",), includes=("src",),
           # Lua seeds its string hashes with the time and its own addresses, and picks pivots by the clock: constants instead.
           defines=("LUA_COMPAT_5_3", "LUA_USE_POSIX", "luai_makeseed(L)=0x5eedu", "l_randomizePivot()=0x5eedu"),
           libraries=("m",),
           prepare=prepare_lua),
    # tcc.c includes all others. It compiles for x86-64 wherever it runs, so that all machines see the same work.
    Recipe("tcc", "tcc", sources=("tcc.c",), defines=("ONE_SOURCE=1", "TCC_TARGET_X86_64"),
           libraries=("m", "dl", "pthread"), prepare=prepare_tcc),
    Recipe("sqlite3", "sqlite3", sources=("sqlite3.c", "shell.c"),
           defines=("SQLITE_THREADSAFE=0", "SQLITE_OMIT_LOAD_EXTENSION", "SQLITE_ENABLE_MATH_FUNCTIONS"),
           libraries=("m",), prepare=prepare_sqlite3),
    Recipe("tinyscheme", "tinyscheme", sources=("scheme.c",),
           defines=("STANDALONE=1", "USE_DL=0", "USE_MATH=1", "USE_ASCII_NAMES=0"),
           libraries=("m",), data=("init.scm",)),
    Recipe("minisat", "minisat2",
           sources=("minisat/simp/Main.cc", "minisat/simp/SimpSolver.cc", "minisat/core/Solver.cc",
                    "minisat/utils/*.cc"),
           defines=("__STDC_LIMIT_MACROS", "__STDC_FORMAT_MACROS", "NDEBUG"), libraries=("z",), cxx=True, flags=("-w", "-std=gnu++98", "-ffp-contract=off")),
    Recipe("xmlwf", "expat",
           sources=("expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c", "expat/xmlwf/codepage.c",
                    "expat/xmlwf/unixfilemap.c", "expat/xmlwf/xmlfile.c", "expat/xmlwf/xmlwf.c"),
           includes=("expat/lib",), defines=("HAVE_EXPAT_CONFIG_H",), libraries=("m",), prepare=prepare_expat),
)

BY_NAME = {recipe.name: recipe for recipe in RECIPES}


def prepared_tree(fetcher, recipe, scratch):
    """The program's tree, ready to compile; made once."""
    tree = scratch / "prepared" / recipe.name
    if tree.is_dir():
        return tree
    partial = tree.with_name(recipe.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(fetcher.unpacked(recipe.package), partial, symlinks=True)
    if recipe.prepare:
        recipe.prepare(partial)
    partial.rename(tree)
    return tree

"""Fetches Debian source packages without touching this machine's own apt configuration.

The machine's sources decide where from: every `deb` source is read again as `deb-src` in a private list, with private
package lists, so that neither root nor an enabled `deb-src` is needed.
"""

import functools
import os
import pathlib
import shutil
import subprocess


class FetchError(Exception):
    """A source package could not be had; the message is for people."""


def source_lines(text):
    """The `deb-src` lines of a one-line-style list (sources.list(5))."""
    lines = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in ("deb", "deb-src"):
            lines.append(" ".join(["deb-src", *words[1:]]))
    return lines


def source_stanzas(text):
    """The stanzas of a deb822 file, each for sources instead of packages."""
    stanzas = []
    stanza = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            continue
        if line.strip():
            stanza.append("Types: deb-src" if line.lower().startswith("types:") else line.rstrip())
        elif stanza:
            stanzas.append("\n".join(stanza))
            stanza = []
    return stanzas


def write_sources(etc, folder):
    """Writes what apt is to read into `folder`, from the sources below `etc`."""
    lines, stanzas = [], []
    parts = sorted((etc / "sources.list.d").glob("*")) if (etc / "sources.list.d").is_dir() else []
    for path in [etc / "sources.list", *parts]:
        if not path.is_file():
            continue
        if path.suffix == ".list":
            lines += source_lines(path.read_text())
        elif path.suffix == ".sources":
            stanzas += source_stanzas(path.read_text())
    if not lines and not stanzas:
        raise FetchError(f"no Debian sources are configured below {etc}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "programs.list").write_text("".join(f"{line}\n" for line in dict.fromkeys(lines)))
    (folder / "programs.sources").write_text("\n\n".join(dict.fromkeys(stanzas)) + "\n")


def is_newer(a, b):
    """Whether version a is newer than b, as Debian orders them."""
    return subprocess.run(["dpkg", "--compare-versions", a, "gt", b]).returncode == 0


class SourceFetcher:
    """Downloads and unpacks source packages below one folder; updates its private lists at most once."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.updated = False

    def apt(self, tool, *arguments, cwd=None):
        apt = self.scratch / "apt"
        settings = {
            "Dir::Etc::sourcelist": apt / "none.list",
            "Dir::Etc::sourceparts": apt / "sources",
            "Dir::State::lists": apt / "lists",
            "Dir::Cache": apt / "cache",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
            "APT::Sandbox::User": "",
        }
        options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        return subprocess.run([tool, "-qq", *options, *arguments], cwd=cwd, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def update(self):
        if self.updated:
            return
        apt = self.scratch / "apt"
        for folder in (apt / "lists" / "partial", apt / "cache" / "archives" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        (apt / "none.list").write_text("")
        write_sources(pathlib.Path("/etc/apt"), apt / "sources")
        # One source of several may lack source packages: whether it matters shows when a package is asked for.
        self.update_output = self.apt("apt-get", "update").stdout
        self.updated = True

    def versions(self, package):
        """All versions that the lists know, the newest first."""
        shown = self.apt("apt-cache", "showsrc", "--only-source", package).stdout
        found = dict.fromkeys(line.split()[1] for line in shown.splitlines() if line.startswith("Version: "))
        newer = functools.cmp_to_key(lambda a, b: -1 if is_newer(a, b) else 1)
        return sorted(found, key=newer)

    def download(self, package, folder):
        # A mirror's lists can name a version that it does not keep: then the next older one will do.
        failures = ""
        for version in self.versions(package):
            result = self.apt("apt-get", "source", "--download-only", "--only-source", f"{package}={version}", cwd=folder)
            if result.returncode == 0:
                return
            failures += result.stdout
            for path in folder.iterdir():
                path.unlink()
        raise FetchError(f"apt-get source {package} failed:\n{failures}{self.update_output}".rstrip())

    def unpacked(self, package):
        """The folder with the package's unpacked and patched source."""
        folder = self.scratch / "source" / package
        tree = folder / "tree"
        if tree.is_dir():
            return tree
        if not list(folder.glob("*.dsc")):
            self.update()
            folder.mkdir(parents=True, exist_ok=True)
            self.download(package, folder)
        description = sorted(folder.glob("*.dsc"))[-1]
        partial = folder / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        result = subprocess.run(["dpkg-source", "--no-check", "-x", description, partial], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            raise FetchError(f"dpkg-source -x {description.name} failed:\n{result.stdout}".rstrip())
        # A rename, so that an interrupted run never leaves half a tree that looks whole.
        os.rename(partial, tree)
        return tree

    def version(self, package):
        """The package's version, from the name of its description."""
        names = [path.stem for path in (self.scratch / "source" / package).glob("*.dsc")]
        return sorted(names)[-1].partition("_")[2] if names else None

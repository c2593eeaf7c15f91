"""What a test program says about itself, in comments that begin with `//`.

    // expect: main( f )                  the call structure of stream 0 (structure.py)
    // expect outline: main               only the outermost calls of stream 0
    // expect -O0: main( f( g ) )         the same, at -O0 only
    // expect 8 streams: worker( f )      eight further streams; without a number: one
    // expect stream child*: ...          ... whose title's name is like that pattern
    // expect signals: handler            a stream of signal handlers
    // expect any signals: handler        any number of them, each of which is this any number of times
    // expect status: 3                   or `signal 11`; 0 if it does not say
    // expect output: a line              of standard output; may be repeated
    // expect note: PATTERN               a note of the recording (a regular expression); may be repeated
    // expect parents: 0 1                of the streams from stream 1 on
    // expect last line: 12               the last block of stream 0 is on that line of the program
    // expect events: 40000007            of the whole recording, which is too long to look at each
    // expect deepest: 1                  level
    // flags: -pthread                    for compiling and linking
    // wrapper: --pathspool-exclude=f     for `pathspool cc` only, not for clang
    // build: $CC x.c -shared -o x.so     instead of the usual one command; may be repeated
    // record: -N 'f*'                    options of `pathspool record`
    // run: ARGUMENTS                     of the program
    // twin: ARGUMENTS                    stream 0 is the same, blocks and all, when it is run with these
    // levels: -O2                        only these; also `stages:`, `versions: newest`
    // once                               one configuration is enough: the newest clang, -O2, source
    // golden                             golden/NAME.txt has all events of it, at -O0

A line that begins with `//` and three blanks or more goes on with the text of the line before.
`expect` may be followed by any of -O0 -O1 -O2 -O3, source, optimized, clang-N and a machine's name;
`-O1+` means that level or a higher one. Of several that fit, the one with the most such words counts.
"""

import fnmatch
import platform
import re
import sys
from dataclasses import dataclass, field

import structure

_DIRECTIVE = re.compile(
    r"(expect(?: [^:\"]*?)?|flags|wrapper|build|record|run|twin|levels|stages|versions):(?: (.*))?$|(once|golden)$"
)
_STREAMS = re.compile(r"(?:(\d+|any) )?(streams?|signals)(?: (\S+))?$")


@dataclass(frozen=True)
class Configuration:
    """How a program is compiled."""

    version: int
    level: str
    stage: str

    def fits(self, word):
        if re.fullmatch(r"-O\d", word):
            return self.level == word
        if re.fullmatch(r"-O\d\+", word):
            return self.level >= word[:-1]
        return word in (self.stage, f"clang-{self.version}", platform.machine())

    def __str__(self):
        return f"clang {self.version} {self.level} {self.stage}"


def _is_condition(word):
    return re.fullmatch(r"-O\d\+?|source|optimized|clang-\d+|x86_64|aarch64", word) is not None


@dataclass
class StreamExpectation:
    """What one or more streams should be."""

    count: int
    is_signals: bool
    title: str
    events: list
    repeats: bool

    def takes(self, stream):
        name = stream["title"].partition(" ")[2]
        is_signals = name.endswith(" (signals)")
        return is_signals == self.is_signals and fnmatch.fnmatchcase(
            name.removesuffix(" (signals)"), self.title
        )

    def equals(self, events):
        times = len(events) // len(self.events) if self.repeats else 1
        return self.events * times == events


@dataclass
class Expectation:
    """What a program should do in one configuration."""

    main: list = None
    outline: list = None
    streams: list = field(default_factory=list)
    status: str = "0"
    output: str = None
    notes: list = field(default_factory=list)
    parents: list = None
    last_line: int = None
    events: int = None
    deepest: int = None


class Program:
    """A test program and its directives."""

    def __init__(self, source):
        self.source = source
        self.name = f"{source.parent.name}/{source.name}"
        self.flags = ""
        self.wrapper = ""
        self.build = []
        self.record = ""
        self.run = ""
        self.twin = None
        self.levels = None
        self.stages = None
        self.versions = None
        self.once = False
        self.golden = False
        self._expects = []
        self._read(source.read_text(encoding="utf-8"))

    def _read(self, text):
        last = None
        for line in text.splitlines():
            if last is not None and re.match(r"//\s{3,}\S", line):
                last[-1] += " " + line[2:].strip()
                continue
            match = _DIRECTIVE.match(line[3:]) if line.startswith("// ") else None
            last = [match[3] or match[1], match[2] or ""] if match else None
            if last:
                self._expects.append(last)
        directives, self._expects = self._expects, []
        for name, value in directives:
            self._set(name, value)

    def _set(self, name, value):
        if name.startswith("expect"):
            self._expects.append((name.split()[1:], value))
        elif name == "build":
            self.build.append(value)
        elif name in ("levels", "stages", "versions"):
            setattr(self, name, value.split())
        elif name in ("once", "golden"):
            setattr(self, name, True)
        else:
            setattr(self, name, value)

    def expectation(self, configuration):
        """What holds in that configuration."""
        chosen = {}
        for words, value in self._expects:
            conditions = [word for word in words if _is_condition(word)]
            if not all(configuration.fits(word) for word in conditions):
                continue
            what = " ".join(word for word in words if not _is_condition(word))
            rank, values = chosen.get(what, (-1, []))
            if len(conditions) > rank:
                chosen[what] = (len(conditions), [value])
            elif len(conditions) == rank:
                values.append(value)
        result = Expectation()
        for what, (_, values) in chosen.items():
            self._apply(result, what, values)
        return result

    @staticmethod
    def _apply(result, what, values):
        streams = _STREAMS.match(what)
        if what == "":
            result.main = structure.parse(values[-1])
        elif what == "outline":
            result.outline = structure.parse(values[-1])
        elif what == "status":
            result.status = values[-1]
        elif what == "output":
            result.output = "".join(value + "\n" for value in values)
        elif what == "note":
            result.notes = values
        elif what == "parents":
            result.parents = [None if word == "-" else int(word) for word in values[-1].split()]
        elif what in ("last line", "events", "deepest"):
            setattr(result, what.replace(" ", "_"), int(values[-1]))
        elif streams:
            for value in values:
                result.streams.append(
                    StreamExpectation(
                        sys.maxsize if streams[1] == "any" else int(streams[1] or 1),
                        streams[2] == "signals",
                        streams[3] or "*",
                        structure.parse(value),
                        streams[1] == "any",
                    )
                )
        else:
            raise structure.NotationError(f"expect {what}: unknown")

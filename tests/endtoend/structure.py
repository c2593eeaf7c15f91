"""The notation for call structures, and the call structure of a recorded stream.

    main( f( g ) h )      main calls f, which calls g, and then h
    f!                    the frame is still open at the end of the stream
    3*f( g )              three calls of f in a row, each of which calls g
    3*( f g )             f, g, f, g, f, g
    f^5( g )              f calls itself: five frames of it, the innermost calls g
    "int twice<int>"( f ) a name with blanks; names have no list of parameters

Both are flattened to the same list: a function's name where it is entered, EXIT where it ends.
"""

import re

EXIT = None

_NOTATION = re.compile(
    r'\s*(?:(?P<count>\d+)\*|(?P<open>\()|(?P<close>\))|\^(?P<depth>\d+)|(?P<left>!)'
    r'|(?P<quoted>"[^"]*")|(?P<name>[^\s()!^*"]+))'
)
_EVENT = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_BLOCK = re.compile(r"B[1-9][0-9]*")


class NotationError(ValueError):
    """A structure that is not written as above."""


def _tokens(text):
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _NOTATION.match(text, position)
        if not match:
            raise NotationError(f"cannot read {text[position:position + 20]!r}")
        position = match.end()
        yield match.lastgroup, match[match.lastgroup]


class _Parser:
    def __init__(self, text):
        self._tokens = list(_tokens(text))
        self._at = 0

    def _peek(self, kind):
        return self._at < len(self._tokens) and self._tokens[self._at][0] == kind

    def _take(self, kind):
        if not self._peek(kind):
            return None
        self._at += 1
        return self._tokens[self._at - 1][1]

    def sequence(self):
        events = []
        while self._at < len(self._tokens) and not self._peek("close"):
            events += self._item()
        return events

    def all(self):
        events = self.sequence()
        if self._at != len(self._tokens):
            raise NotationError("a ')' too many")
        return events

    def _group(self):
        events = self.sequence()
        if self._take("close") is None:
            raise NotationError("a ')' is missing")
        return events

    def _item(self):
        count = int(self._take("count") or 1)
        if self._take("open") is not None:
            return self._group() * count
        quoted = self._take("quoted")
        name = quoted[1:-1] if quoted else self._take("name")
        if name is None:
            raise NotationError("a function's name is missing")
        stays_open = self._take("left") is not None
        depth = int(self._take("depth") or 1)
        inner = self._group() if self._take("open") is not None else []
        return ([name] * depth + inner + ([] if stays_open else [EXIT] * depth)) * count


def parse(text):
    """The events of a structure."""
    return _Parser(text).all()


def without_parameters(name):
    """`f(int) const` -> `f`; what a function returns stays."""
    name = re.sub(r"(\[abi:\w+\])|( const$)|( \[clone [^\]]*\]$)", "", name)
    if not name.endswith(")"):
        return name
    depth = 0
    for index in range(len(name) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[index], 0)
        if depth == 0:
            return name[:index] or name
    return name


class Names:
    """Turns names as `cat` prints them into names as the notation has them."""

    def __init__(self, functions):
        self._readable = {function["name"]: self._name(function) for function in functions}
        self._known = {"E": EXIT}

    @staticmethod
    def _name(function):
        """`file.cpp:_ZL1fi` -> `file.cpp:f`"""
        if not function["demangled"]:
            return function["name"]
        file, colon, _ = function["name"].rpartition(":")
        return file + colon + without_parameters(function["demangled"])

    def __getitem__(self, printed):
        if printed not in self._known:
            name = re.sub(r"\\(.)", r"\1", printed[1:-1]) if printed.startswith('"') else printed
            self._known[printed] = self._readable.get(name, name)
        return self._known[printed]


def events_of(text, names):
    """The enters and exits in what `cat` printed."""
    words = _EVENT.findall(text) if '"' in text else text.split()
    return [names[word] for word in words if word[0] != "B" or not _BLOCK.fullmatch(word)]


def outline(events):
    """The outermost calls; frames that are open at the end are open there too."""
    result = []
    depth = 0
    for event in events:
        depth -= event is EXIT
        if depth <= 0:
            result.append(event)
        depth += event is not EXIT
    return result


def render(events):
    """A structure in the notation, on one line; for people."""
    ends = {}
    open_frames = []
    for index, event in enumerate(events):
        if event is not EXIT:
            open_frames.append(index)
        elif open_frames:
            ends[open_frames.pop()] = index
    words = []
    for index, event in enumerate(events):
        if event is EXIT:
            words.append(")" if index in ends.values() else "E")
            if words[-1] == ")" and words[-2].endswith("("):
                words[-2:] = [words[-2][:-1]]
            continue
        name = f'"{event}"' if " " in event else event
        words.append(f"{name}{'' if index in ends else '!'}(")
    closing = sum(word.endswith("(") for word in words) - words.count(")")
    for _ in range(closing):
        if words and words[-1].endswith("("):
            words[-1] = words[-1][:-1]
        else:
            words.append(")")
    return " ".join(words)


def difference(expected, actual):
    """A description of where two lists of events part; empty if they do not."""
    if expected == actual:
        return ""
    if len(expected) < 300 and len(actual) < 300:
        return f"expected: {render(expected)}\n  actual: {render(actual)}"
    at = next(
        (i for i, pair in enumerate(zip(expected, actual)) if pair[0] != pair[1]),
        min(len(expected), len(actual)),
    )

    def around(events):
        words = ["E" if event is EXIT else event for event in events[max(at - 5, 0) : at + 5]]
        return " ".join(words)

    return (
        f"expected {len(expected)} enters and exits, actual {len(actual)}; they part at {at}:\n"
        f"expected: ... {around(expected)} ...\n  actual: ... {around(actual)} ..."
    )

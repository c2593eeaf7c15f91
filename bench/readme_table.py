"""Tables in README.md that benchmarks write: each between two comments with its name."""

import pathlib

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"


def fill_readme(name, table):
    """Puts the table between NAME:begin and NAME:end, if README.md has them."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    text = README.read_text() if README.exists() else ""
    if begin not in text or end not in text:
        return
    before, _, rest = text.partition(begin)
    after = rest.partition(end)[2]
    README.write_text(f"{before}{begin}\n{table.rstrip()}\n{end}{after}")

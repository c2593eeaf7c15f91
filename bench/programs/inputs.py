"""Inputs for the programs, made from fixed seeds: the same bytes on every machine.

Only `Random.random()` is used: Python promises its sequence for a seed, and does not promise that of its other methods.
"""

import random


class Dice:
    """What the generators need of chance, on top of `random()` alone."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def skewed(self, n):
        """An index below n; small ones are likelier, roughly as words of a language are."""
        return int(n ** self.random()) - 1


SYLLABLES = [consonant + vowel for consonant in "b c d f g h l m n p r s t v st tr pl th sh qu".split()
             for vowel in "a e i o u ai ea ou".split()]
ENDINGS = ["", "", "", "n", "r", "s", "t", "ing", "ed", "ly", "ment", "tion"]


def words(dice, count):
    """Distinct made-up words, the short ones first, as in real lists by frequency."""
    found = {}
    while len(found) < count:
        length = 1 + dice.skewed(4) + (len(found) > count // 20)
        found["".join(dice.pick(SYLLABLES) for _ in range(length)) + dice.pick(ENDINGS)] = None
    return sorted(found, key=len)


def prose(seed, size):
    """Text of `size` bytes from a Markov chain: a word has a few habitual successors, and some phrases recur."""
    dice = Dice(seed)
    vocabulary = words(dice, 6000)
    followers = [[dice.skewed(len(vocabulary)) for _ in range(12)] for _ in vocabulary]
    out, length, column, word, capital, sentence = [], 0, 0, 0, True, 0
    while length < size:
        word = followers[word][dice.skewed(12)] if dice.random() < 0.8 else dice.skewed(len(vocabulary))
        text = vocabulary[word].capitalize() if capital else vocabulary[word]
        sentence += 1
        capital = sentence > 4 and dice.random() < 0.12
        if capital:
            text += "."
            sentence = 0
        elif dice.random() < 0.07:
            text += ","
        elif dice.random() < 0.01:
            text += f" {dice.below(10 ** (1 + dice.below(5)))}"
        column += len(text) + 1
        text += "\n" if column > 72 else " "
        if column > 72:
            column = 0
        out.append(text)
        length += len(text)
    return "".join(out)[:size]


def c_expression(dice, depth, names):
    if depth == 0 or dice.random() < 0.15:
        return dice.pick(names) if dice.random() < 0.7 else str(dice.below(10 ** (1 + dice.below(4))))
    left, right = (c_expression(dice, depth - 1, names) for _ in range(2))
    kind = dice.below(12)
    if kind < 8:
        return f"({left} {dice.pick(['+', '-', '*', '^', '&', '|', '<', '=='])} {right})"
    if kind == 8:
        return f"({left} ? {right} : {dice.pick(names)})"
    if kind == 9:
        return f"(({left}) << {dice.below(7)})"
    if kind == 10:
        return f"table[({left}) & 255]"
    return f"CLAMP({left}, {right})"


def c_statements(dice, depth, names, callable_functions, indent):
    pad = "  " * indent
    lines = []
    for _ in range(2 + dice.below(4)):
        kind = dice.below(10)
        target = dice.pick(names)
        if kind < 4 or depth == 0:
            lines.append(f"{pad}{target} {dice.pick(['=', '+=', '^='])} {c_expression(dice, 3, names)};")
        elif kind < 6:
            lines.append(f"{pad}if ({c_expression(dice, 2, names)}) {{")
            lines += c_statements(dice, depth - 1, names, callable_functions, indent + 1)
            lines.append(f"{pad}}} else {{")
            lines += c_statements(dice, 0, names, callable_functions, indent + 1)
            lines.append(f"{pad}}}")
        elif kind < 7:
            lines.append(f"{pad}for (i = 0; i < {1 + dice.below(20)}; i++) {{")
            lines += c_statements(dice, depth - 1, names, callable_functions, indent + 1)
            lines.append(f"{pad}}}")
        elif kind < 8:
            lines.append(f"{pad}switch ({target} & 3) {{")
            for case in range(3):
                lines.append(f"{pad}case {case}: {dice.pick(names)} += {c_expression(dice, 2, names)}; break;")
            lines.append(f"{pad}default: break;\n{pad}}}")
        elif kind < 9 and callable_functions:
            lines.append(f"{pad}{target} = f{dice.pick(callable_functions)}({c_expression(dice, 1, names)}, &record);")
        else:
            lines.append(f"{pad}record.{dice.pick(['count', 'total', 'flags'])} += {c_expression(dice, 1, names)};")
            lines.append(f'{pad}note("{dice.pick(SYLLABLES)}{dice.pick(SYLLABLES)}", __LINE__);')
    return lines


def c_source(seed, functions):
    """A C file that needs no header: functions with structs, macros, loops, switches and calls of earlier ones."""
    dice = Dice(seed)
    lines = ["typedef struct Record { int count; long total; unsigned flags; struct Record *next; } Record;",
             "#define CLAMP(value, limit) ((value) < 0 ? 0 : (value) > (limit) ? (limit) : (value))",
             "static int table[256];", "extern void note(const char *text, int line);", ""]
    names = ["a", "b", "c", "i", "record.count", "p->count"]
    for function in range(functions):
        lines.append(f"#define LIMIT_{function} {dice.below(1000)}")
        lines.append(f"/* Function {function}: {dice.pick(SYLLABLES)} {dice.pick(SYLLABLES)}. */")
        lines.append(f"static int f{function}(int a, Record *p)\n{{")
        lines.append(f"  int b = LIMIT_{function}, c = a * {dice.below(100)}, i = 0;\n  Record record = {{0, 0, 0, p}};")
        lines += c_statements(dice, 2, names, range(max(0, function - 40), function), 1)
        lines.append("  return a + b + c + i + record.count;\n}\n")
    lines.append("int main(void)\n{\n  Record record = {0, 0, 0, 0};\n  int sum = 0;")
    lines += [f"  sum += f{function}({function}, &record);" for function in range(0, functions, 7)]
    lines.append("  return sum & 127;\n}\n")
    return "\n".join(lines)


def sql(seed, rows):
    """A script that makes two tables, fills them, and asks: joins, groups, sorting, text search, updates, a recursion."""
    dice = Dice(seed)
    vocabulary = words(dice, 500)
    lines = ["CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, kind INTEGER, price REAL, note TEXT);",
             "CREATE TABLE sale(id INTEGER PRIMARY KEY, item INTEGER, day INTEGER, amount INTEGER);", "BEGIN;"]
    for row in range(rows):
        note = " ".join(vocabulary[dice.skewed(500)] for _ in range(6))
        lines.append(f"INSERT INTO item VALUES({row}, '{vocabulary[dice.below(500)]}', {dice.below(40)}, "
                     f"{dice.below(10000) / 100}, '{note}');")
    for row in range(2 * rows):
        lines.append(f"INSERT INTO sale VALUES({row}, {dice.skewed(rows)}, {dice.below(365)}, {1 + dice.below(9)});")
    lines.append("COMMIT;\nCREATE INDEX item_kind ON item(kind);\nCREATE INDEX sale_item ON sale(item, day);")
    lines.append("SELECT kind, count(*), round(sum(price * amount), 2) FROM item JOIN sale ON sale.item = item.id "
                 "GROUP BY kind ORDER BY 3 DESC;")
    lines.append("SELECT day, sum(amount) AS total FROM sale GROUP BY day HAVING total > 20 ORDER BY total DESC, day;")
    for _ in range(3):
        lines.append(f"SELECT count(*) FROM item WHERE note LIKE '%{vocabulary[dice.below(500)]}%';")
    lines.append("SELECT name, max(price) FROM item GROUP BY name ORDER BY name DESC LIMIT 50;")
    lines.append("UPDATE item SET price = price * 1.1, note = upper(note) WHERE kind % 3 = 1;")
    lines.append("DELETE FROM sale WHERE day BETWEEN 100 AND 130;")
    lines.append("SELECT i.name, (SELECT count(*) FROM sale s WHERE s.item = i.id AND s.day < 180) AS n FROM item i "
                 "ORDER BY n DESC, i.id LIMIT 20;")
    lines.append(f"WITH RECURSIVE step(x, y) AS (SELECT 1, 1 UNION ALL SELECT x + 1, (y * 48271) % 2147483647 FROM step "
                 f"WHERE x < {10 * rows}) SELECT count(DISTINCT y % 1000), max(y) FROM step;")
    return "\n".join(lines) + "\n"


def cnf(seed, variables, ratio):
    """Random 3-SAT in DIMACS form; near 4.26 clauses a variable it is hardest."""
    dice = Dice(seed)
    clauses = []
    while len(clauses) < int(variables * ratio):
        chosen = {1 + dice.below(variables) for _ in range(3)}
        if len(chosen) == 3:
            clauses.append(" ".join(str(v if dice.random() < 0.5 else -v) for v in sorted(chosen)) + " 0")
    return f"p cnf {variables} {len(clauses)}\n" + "\n".join(clauses) + "\n"


def xml(seed, records):
    """A document with a DTD, entities, namespaces, attributes, comments, CDATA and nesting."""
    dice = Dice(seed)
    vocabulary = words(dice, 400)

    def text(count):
        return " ".join(vocabulary[dice.skewed(400)] for _ in range(count))

    out = ['<?xml version="1.0" encoding="UTF-8"?>',
           '<!DOCTYPE library [<!ENTITY house "Pathspool &amp; Sons"><!ATTLIST book lang CDATA "en">]>',
           '<library xmlns="urn:library" xmlns:m="urn:meta">']
    for record in range(records):
        out.append(f'  <book id="b{record}" year="{1900 + dice.below(120)}" m:shelf="{dice.pick(vocabulary)}">')
        out.append(f"    <title>{text(3 + dice.below(4))}</title>\n    <by>&house; &#x00e9; {text(1)}</by>")
        for _ in range(dice.below(5)):
            out.append(f'    <chapter n="{dice.below(30)}"><p>{text(12)} &lt;{dice.pick(vocabulary)}&gt;</p>'
                       f"<p><em>{text(2)}</em> {text(8)}</p></chapter>")
        if dice.random() < 0.2:
            out.append(f"    <!-- {text(6)} -->\n    <code><![CDATA[if (a < b && c) {{ {text(3)} }}]]></code>")
        out.append(f'    <m:price unit="EUR">{dice.below(10000) / 100}</m:price>\n  </book>')
    out.append("</library>\n")
    return "\n".join(out)

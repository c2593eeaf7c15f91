"""What path matching was meant to reach, whether it did, and what the numbers say about who wins where."""

from overhead_report import geometric_mean

SCHEMES = ("1", "2", "3", "4")
NAMES = {"1": "scheme 1", "2": "scheme 2", "3": "scheme 3", "4": "scheme 4", "rival": "the rival"}


def times_faster(ratio):
    return f"{ratio:.0f}×" if ratio >= 20 else f"{ratio:.1f}×" if ratio >= 2 else f"{ratio:.2f}×"


def totals(row):
    return {**{name: row.cold[name] for name in SCHEMES}, "rival": row.rival}


def quickest(row):
    """The name of the quickest of the four schemes and the rival, and its time."""
    name, time = min(totals(row).items(), key=lambda item: item[1])
    return NAMES[name], time


def target(what, limit, values, at_least, form=times_faster, note=""):
    """`values` are pairs of a label and a number; the worst and all that miss the limit are named."""
    if not values:
        return {"what": what, "limit": form(limit), "worst": "–", "reached": None, "misses": [], "of": 0, "note": note}
    worst = (min if at_least else max)(values, key=lambda pair: pair[1])
    misses = [f"{label} {form(value)}" for label, value in values if (value < limit if at_least else value > limit)]
    return {"what": what, "limit": ("at least " if at_least else "at most ") + form(limit),
            "worst": f"{form(worst[1])} ({worst[0]})", "reached": not misses, "misses": misses, "of": len(values),
            "note": note}


def against_rival(rows, number, schemes):
    """By program: how much faster the quickest of these schemes is, with the worst single path."""
    found = [row for row in rows if row.number == number and row.is_of_it]
    values = [(row.program, row.rival / min(row.cold[name] for name in schemes)) for row in found]
    note = ""
    if found:
        worst = min(found, key=lambda row: row.worst_ratio(schemes))
        note = f"worst single path {times_faster(worst.worst_ratio(schemes))} ({worst.program})"
    return values, note


def judge(results, rows):
    """All targets, as plain data."""
    judged = []

    def faster(what, limit, number, schemes):
        values, note = against_rival(rows, number, schemes)
        judged.append(target(what, limit, values, True, note=note))

    faster("type 1: scheme 3 or 4 against the rival", 200, 1, ("3", "4"))
    faster("type 2: scheme 3 or 4 against the rival", 3, 2, ("3", "4"))
    faster("type 3: `auto` on chunks against the rival", 1, 3, ("auto, chunks",))
    faster("type 3: `auto` on the grammar against the rival", 1, 3, ("auto, grammar",))

    by_program = {}
    for row in rows:
        by_program.setdefault(row.program, []).append(row)
    ratios = [(program, sum(row.cold["1"] for row in found) / sum(row.cold["2"] for row in found))
              for program, found in by_program.items()]
    judged.append(target("scheme 2 against scheme 1 in total, each program", 1, ratios, True))
    mean = geometric_mean([row.cold["1"] / row.cold["2"] for row in rows])
    judged.append(target("scheme 2 against scheme 1, geometric mean", 3, [("all rows", mean)] if mean else [], True))

    def ns(value):
        return f"{value:.2f} ns"

    def ms(value):
        return f"{value:.2f} ms"

    for place, limit in (("hot", 2.5), ("elsewhere", 1.5)):
        values = [(result["program"], result["scanner"][place]["ns_per_event"]) for result in results
                  if result["scanner"] and place in result["scanner"]]
        judged.append(target(f"scheme 1's scanner, per event, {place}", limit, values, False, ns))
    values = [(f"{result['program']}, {kind}", nanoseconds / 1e6) for result in results
              for kind, nanoseconds in result["opening_ns"].items()]
    judged.append(target("opening a file", 10, values, False, ms))
    return judged


def markdown(judged):
    lines = ["| target | limit | worst | reached | by |", "| --- | --- | --- | --- | --- |"]
    for one in judged:
        reached = "–" if one["reached"] is None else "yes" if one["reached"] else "**no**"
        worst = one["worst"] + (f"; {one['note']}" if one["note"] else "")
        by = f"{one['of'] - len(one['misses'])} of {one['of']}"
        if one["misses"]:
            by += "; not: " + ", ".join(one["misses"])
        lines.append(f"| {one['what']} | {one['limit']} | {worst} | {reached} | {by} |")
    return "\n".join(lines)


def winners(rows):
    """`scheme 3 on 5 of 9 programs (lua, tcc, ..)`, by how often they win."""
    won = {}
    for row in rows:
        won.setdefault(quickest(row)[0], []).append(row.program)
    ordered = sorted(won.items(), key=lambda item: -len(item[1]))
    return "; ".join(f"{name} on {len(programs)} of {len(rows)} ({', '.join(programs)})" for name, programs in ordered)


def sentences(rows):
    """What the numbers say, whatever they are."""
    for number, kind in ((1, "in one chunk"), (2, "in about half of the chunks"), (3, "in nearly all chunks")):
        found = [row for row in rows if row.number == number and row.is_of_it]
        if not found:
            yield f"Type {number} ({kind}): no program has such a function."
            continue
        means = {name: geometric_mean([row.rival / row.cold[name] for row in found]) for name in SCHEMES}
        yield (f"Type {number} ({kind}): the quickest is {winners(found)}. Against the rival, in geometric mean: "
               + ", ".join(f"{NAMES[name]} {times_faster(mean)}" for name, mean in means.items()) + ".")
    slower = [f"{row.program} type {row.number}" for row in rows if quickest(row)[0] == "the rival"]
    yield "The rival beats all four schemes on " + ", ".join(slower) + "." if slower else \
        "The rival beats all four schemes nowhere."
    if not rows:
        return
    for scheme, chunks in (("2", "1"), ("4", "3")):
        cold = geometric_mean([row.cold[chunks] / row.cold[scheme] for row in rows])
        kept = geometric_mean([row.kept[chunks] / row.kept[scheme] for row in rows])
        wins = sorted({row.program for row in rows if row.cold[scheme] < row.cold[chunks]})
        where = f"wins a first query on {', '.join(wins)}" if wins else "wins a first query nowhere"
        yield (f"Matching on the grammar, scheme {scheme}, against scheme {chunks}: {times_faster(cold)} as fast on a first "
               f"query and {times_faster(kept)} on a second, in geometric mean over all rows; it {where}"
               f"{' (on one type at least)' if wins else ''}.")
    unpacking = geometric_mean([row.parts("1")[0] / row.cold["1"] for row in rows])
    decoding = geometric_mean([max(row.parts("2")[0], 1) / row.cold["2"] for row in rows])
    yield (f"Unpacking is {unpacking:.0%} of scheme 1's time and decoding {decoding:.0%} of scheme 2's, in geometric mean.")

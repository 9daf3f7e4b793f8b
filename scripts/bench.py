"""Makes one table of what scripts/bench measured: lines of program, file, bytes, nanoseconds of parsing, and of HTML."""

import math
import os
import sys

PROGRAMS = ["mooring", "md4c", "cmark", "cmark-gfm"]


def machine():
    """The processor's name and how many of it there are."""
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else os.uname().machine


def main():
    best, sizes = {}, {}
    for line in sys.stdin:
        program, rest = line.rstrip("\n").split(" ", 1)
        file, size, parse, html = rest.rsplit(" ", 3)
        sizes[file] = int(size)
        for what, time in (("parse", int(parse)), ("html", int(html))):
            key = (file, program, what)
            best[key] = min(best.get(key, time), time)
    heads = [f"{program} {what}" for what in ("parse", "html") for program in PROGRAMS]
    print(f"MB/s on {machine()}\n")
    print("| document | bytes | " + " | ".join(heads) + " |")
    print("|---" * (len(heads) + 2) + "|")

    def row(name, size, time):
        cells = [f"{1000 * size / time(program, what):.0f}" for what in ("parse", "html") for program in PROGRAMS]
        print(f"| {name} | {size} | " + " | ".join(cells) + " |")

    for file, size in sizes.items():
        row(os.path.basename(file).removesuffix(".md"), size, lambda program, what: best[file, program, what])

    def total(program, what):
        return sum(best[file, program, what] for file in sizes)

    row("all together", sum(sizes.values()), total)
    # The geometric mean: no document in which one program is very slow decides alone.
    size = sum(sizes.values()) // len(sizes)

    def mean(program, what):
        return math.exp(sum(math.log(size * best[file, program, what] / sizes[file]) for file in sizes) / len(sizes))

    row("geometric mean", size, mean)


main()

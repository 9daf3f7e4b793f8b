"""Reads callgrind's dumps of BenchPasses, one a pass, and compares them with the stored counts.

    count-instructions.py DIRECTORY BASELINE COMPILER [--update]
"""

import re
import sys

ALLOCATING = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign")
LIMIT = 1.10


def counts(path):
    """The instructions and the allocations in a dump."""
    instructions = allocations = 0
    called = ""
    with open(path) as lines:
        for line in lines:
            if line.startswith("cfn="):
                called = line[4:].strip()
            elif line.startswith("calls=") and called in ALLOCATING:
                allocations += int(line[6:].split()[0])
            elif line.startswith("summary:"):
                instructions = int(line.split()[1])
    return instructions, allocations


def main():
    directory, baseline, compiler = sys.argv[1:4]
    update = sys.argv[4:] == ["--update"]
    with open(f"{directory}/passes") as lines:
        passes = [line.split() for line in lines]
    now = {}
    for number, (document, layer, size, appends) in enumerate(passes, 1):
        instructions, allocations = counts(f"{directory}/out.{number}")
        if not instructions:
            sys.exit(f"count-instructions: nothing was counted of {document} {layer}")
        now[document, layer] = (instructions / int(size), allocations / int(appends))

    stored, stored_compiler = {}, ""
    if not update:
        with open(baseline) as lines:
            for line in lines:
                if match := re.match(r"# Swift (\S+)", line):
                    stored_compiler = match[1]
                elif not line.startswith("#"):
                    document, layer, instructions, _ = line.split()
                    stored[document, layer] = float(instructions)

    print(f"{'document':15}{'layer':8}{'instructions a byte':>20}{'stored':>10}{'change':>9}{'allocations an append':>23}")
    worse = []
    for (document, layer), (instructions, allocations) in now.items():
        before = stored.get((document, layer))
        change = f"{100 * (instructions / before - 1):+.1f} %" if before else "new"
        print(f"{document:15}{layer:8}{instructions:20.2f}{before or 0:10.2f}{change:>9}{allocations:23.3f}")
        if before and instructions > LIMIT * before:
            worse.append(f"{document} {layer}")
    if update:
        with open(baseline, "w") as file:
            file.write("# Instructions a byte and allocations an append of each document and layer of mooring bench, 64 KiB in\n")
            file.write("# appends of 20 bytes, as scripts/count-instructions --update counted them with\n")
            file.write(f"# Swift {compiler}\n")
            for (document, layer), (instructions, allocations) in now.items():
                file.write(f"{document} {layer} {instructions:.2f} {allocations:.3f}\n")
    elif worse and compiler != stored_compiler:
        print(f"not compared: the stored counts are of Swift {stored_compiler}, these of Swift {compiler}")
    elif worse:
        sys.exit("count-instructions: more than 10 % above the stored counts: " + ", ".join(worse))


main()

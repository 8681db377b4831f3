import sys


def fail(line, why):
    raise SystemError(f"{line}: {why}")


def check(text):
    depth = 0
    for line in text.splitlines():
        if line.startswith("begin"):
            depth += 1
        elif line.startswith("end"):
            depth -= 1
        else:
            fail(line, "this statement is unknown")
        if depth < 0:
            fail(line, "this block was never opened")


check(open(sys.argv[1]).read())

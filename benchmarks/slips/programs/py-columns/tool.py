import sys


def area(row):
    return int(row["w"]) * int(row["h"])


for line in open(sys.argv[1]):
    w, cross, h = line.strip().partition("x")
    if cross:
        print(area({"w": w, "h": h}))

import sys


def total(text):
    result = 0.0
    for line in text.splitlines():
        name, value = line.split("=")
        result += float(value)
    return result


print(total(open(sys.argv[1]).read()))

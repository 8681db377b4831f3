import os
from sys import argv, path
for item in path: print(item)
while argv: break
if os.name == "posix": total = 1
def double(value): return 2 * value
class Empty: pass
with open("a.txt") as source: source.read()
async def wait(): await other()
def each(values): yield values[0]
def later(name, *values, key=None): global total; total = key
try: total = int(name)
except ValueError: total = 0
try: read(path)
except (KeyError, OSError) as error: print(error)
finally: path.close()
if name: total += 1
else: total = 0
for item in path: print(item)
else: total = 0
@cached
def area(width, height): return width * height
class Pair(list): size = 2
assert double(1) == 2, "wrong"
raise ValueError("bad")
del argv[0]
total += 1
name: str = "x"
lambda value: value
[item for item in path if item]
{"a": 1, "b": []}
(1, 2)
not total
total if name else None
f"{name}"

"""Prints a GraphQL schema, in which six input types need each other without an end."""

import random

rng = random.Random(6)
WORDS = "order client parcel invoice address ticket review basket refund supplier label".split()
SCALARS = ("Int", "String", "ID", "Float", "Boolean")
INPUTS, OBJECTS = 110, 90
RING = [12, 37, 58, 80, 92, 101]


def name(kind, number):
    return f"{WORDS[number % len(WORDS)].title()}{kind}{number}"


def scalar():
    return rng.choice(SCALARS) + rng.choice(("", "!"))


print('"""\nThe shop.\n"""\nscalar Date\n')
for number in range(20):
    print(f"enum {name('Kind', number)} {{\n" + "\n".join(f"  {word.upper()}" for word in rng.sample(WORDS, 4)) + "\n}\n")
for number in range(12):
    print(f"interface {name('Node', number)} {{\n  key{number}: ID!\n}}\n")
for number in range(INPUTS):
    print(f'"""\nWhat is given of a {rng.choice(WORDS)}.\n"""\ninput {name("Input", number)} {{')
    for word in rng.sample(WORDS, rng.randrange(2, 6)):
        print(f"  {word}: {scalar()}")
    if number in RING:
        following = RING[(RING.index(number) + 1) % len(RING)]
        print(f"  inner: {name('Input', following)}!")
    if number:  # Those that it may need are earlier ones, so nothing but the ring has no end.
        print(f"  part: {name('Input', rng.randrange(number))}")
        print(f"  parts: [{name('Input', rng.randrange(INPUTS))}!]!")
    print("}\n")
for number in range(OBJECTS):
    node = rng.randrange(12)
    words = " ".join(rng.choice(WORDS) for _ in range(18))
    print(f'"""\nWhat is known of a {rng.choice(WORDS)}: {words}.\n"""')
    print(f"type {name('Type', number)} implements {name('Node', node)} {{\n  key{node}: ID!")
    for word in rng.sample(WORDS, rng.randrange(3, 7)):
        print(f"  {word}(first: Int = {rng.randrange(99)}): {scalar()}")
    print(f"  find(by: {name('Input', rng.randrange(INPUTS))}): {name('Type', rng.randrange(OBJECTS))}")
    print(f"  kind: {name('Kind', rng.randrange(20))}!\n}}\n")
for number in range(10):
    members = " | ".join(name("Type", each) for each in rng.sample(range(OBJECTS), 4))
    print(f"union {name('Any', number)} = {members}\n")
print("type Query {\n" + "\n".join(f"  q{number}: {name('Type', number)}" for number in range(30)) + "\n}\n")
changes = [f"  change{number}(value: {name('Input', number)}!): Boolean" for number in range(0, INPUTS, 3)]
print("type Mutation {\n" + "\n".join(changes) + "\n}")

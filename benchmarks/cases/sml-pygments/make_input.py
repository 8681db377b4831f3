"""Prints modules of Standard ML; the last line of the file is cut off within a declaration."""

import random

rng = random.Random(2020_12)
NAMES = "acc node tree left right key item rest state queue table index depth label cost".split()
TYPES = ("int", "string", "bool", "int list", "string option", "(int * string)", "real")


def name():
    return f"{rng.choice(NAMES)}{rng.randrange(100)}"


def expression(depth):
    kind = rng.randrange(6) if depth else 5
    one, two = expression(depth - 1) if depth else "", expression(depth - 1) if depth else ""
    return (
        f"if {name()} < {rng.randrange(99)} then {one} else {two}",
        f"let val {name()} = {one} in {two} end",
        f"({name()} {one} + {two})",
        f"(case {name()} of nil => {one} | ({name()} :: _) => {two})",
        f'(fn {name()} => {one}, "{name()} {name()}")',
        rng.choice((name(), str(rng.randrange(999)), f'"{name()}"', "nil", f"#{name()} x")),
    )[kind]


def declaration():
    kind = rng.randrange(5)
    return (
        f"fun {name()} {name()} {name()} = {expression(3)}",
        f"val {name()} = {expression(3)}",
        f"datatype {name()} = " + " | ".join(name().title() for _ in range(4)),
        f"type {name()} = {rng.choice(TYPES)}",
        f"exception {name().title()} of {rng.choice(TYPES)}",
    )[kind]


for number in range(60):
    print(f"(* {name()} and {name()} *)\nstructure M{number} = struct")
    for _ in range(16):
        print(f"  {declaration()}")
    print("end\n")
print("structure Last = struct\n  val x = 1\n  exception")

"""Prints a hierarchy of C++ classes, in which one that is far down inherits two final overriders."""

import random

rng = random.Random(31)
WORDS = "shape panel stream buffer widget layout signal frame packet cursor filter device".split()
TYPES = ("int", "long", "double", "bool", "const char *", "unsigned")


def method(number):
    kind = rng.choice(TYPES)
    value = f"static_cast<{kind}>({rng.randrange(1000)})" if "*" not in kind else '"text"'
    return f"    {kind} {rng.choice(WORDS)}_{number}(int amount) const {{ (void)amount; return {value}; }}"


def emit(name, bases, extra=()):
    head = f"class {name}" + (" : " + ", ".join(bases) if bases else "")
    print(f"{head} {{\n public:")
    print(f"    explicit {name}(int size = {rng.randrange(90)}) : size_{name}(size) {{}}")
    for line in extra:
        print(f"    {line}")
    for number in range(rng.randrange(4, 9)):
        print(method(number))
    print(f" protected:\n    int size_{name};\n}};\n")


emit("Object", (), ("virtual ~Object() {}", "virtual int render(int amount) const { return amount; }"))
emit("Part", (), ("virtual ~Part() {}",))
layers = [["Part"]]
count = 0
for depth in range(7):
    layer = []
    for _ in range(8):
        name = f"{rng.choice(WORDS).title()}{count}"
        count += 1
        opener = f"virtual int open_{count}() {{ return size_{name}; }}"
        emit(name, (f"public {rng.choice(layers[-1])}",), (opener,))
        layer.append(name)
    layers.append(layer)
emit("Canvas", ("public virtual Object",), ("int render(int amount) const override { return amount + 1; }",))
emit("Printer", ("public virtual Object",), ("int render(int amount) const override { return amount + 2; }",))
emit("Sheet", ("public virtual Canvas",))
emit("Spool", ("public virtual Printer",))
emit("Book", ("public virtual Sheet", f"public {layers[4][3]}"))
emit("Queue", ("public virtual Spool", f"public {layers[5][6]}"))
emit("Press", ("public Book", "public Queue"))
for _ in range(24):
    name = f"{rng.choice(WORDS).title()}{count}"
    count += 1
    emit(name, (f"public {rng.choice(layers[-1])}",))
print("int main() {\n    Press press;\n    return 0;\n}")

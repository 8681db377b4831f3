"""Prints Python classes on classes; one inherits two orders of the same mixins."""

import random

rng = random.Random(3)
WORDS = "widget panel field button list form menu table chart dialog header footer".split()


def emit(name, bases):
    print(f"class {name}({', '.join(bases)}):" if bases else f"class {name}:")
    print(f'    """The {rng.choice(WORDS)} that is a {rng.choice(WORDS)}."""\n')
    print(f"    size = {rng.randrange(99)}")
    print(f"    style = {{'{rng.choice(WORDS)}': {rng.randrange(9)}, '{rng.choice(WORDS)}': 'a{rng.randrange(99)}'}}\n")
    for number in range(rng.randrange(1, 4)):
        word = rng.choice(WORDS)
        print(f"    def {word}_{number}(self, value, *, limit={rng.randrange(99)}):")
        print(f"        if value > limit:\n            return [self.size * {rng.randrange(9)} for _ in range(value)]")
        print(f"        return super().__getattribute__('{word}')\n")
    print()


MIXINS = [f"{word.title()}Mixin" for word in WORDS]
for mixin in MIXINS:
    emit(mixin, ())
emit("Base", ())
layers = [["Base"]]
number = 0
for depth in range(8):
    layer = []
    for _ in range(22):
        name = f"{rng.choice(WORDS).title()}{number}"
        number += 1
        emit(name, [rng.choice(layers[-1])])
        layer.append(name)
    layers.append(layer)
    if depth == 2:
        emit("Sortable", ["TableMixin", "MenuMixin", layers[2][5]])
        emit("Movable", ["MenuMixin", "TableMixin", layers[1][2]])
    if depth == 4:
        emit("SortableChart", ["Sortable"])
        emit("MovableChart", ["ChartMixin", "Movable"])
emit("Dashboard", ["SortableChart", "MovableChart"])

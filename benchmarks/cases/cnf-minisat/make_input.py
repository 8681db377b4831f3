"""Prints constraints in DIMACS form: many that are easy, and among them pigeons without a hole."""

import random

rng = random.Random(1962)
EASY, PIGEONS, HOLES = 1400, 5, 4

names = list(range(1, EASY + PIGEONS * HOLES + 1))
rng.shuffle(names)
easy, sits = names[:EASY], names[EASY:]
truth = {name: rng.random() < 0.5 for name in easy}
clauses = []
while len(clauses) < 4600:
    clause = [name if rng.random() < 0.5 else -name for name in rng.sample(easy, rng.randrange(2, 6))]
    if any(truth[abs(literal)] == (literal > 0) for literal in clause):
        clauses.append(clause)


def pigeon_in(pigeon, hole):
    return sits[pigeon * HOLES + hole]


for pigeon in range(PIGEONS):
    clauses.append([pigeon_in(pigeon, hole) for hole in range(HOLES)])
for hole in range(HOLES):
    for one in range(PIGEONS):
        for two in range(one):
            clauses.append([-pigeon_in(one, hole), -pigeon_in(two, hole)])
rng.shuffle(clauses)
print(f"c schedule with {PIGEONS} jobs on {HOLES} machines\np cnf {len(names)} {len(clauses)}")
for clause in clauses:
    print(*clause, 0)

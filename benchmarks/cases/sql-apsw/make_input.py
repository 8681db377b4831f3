"""Prints a dump of a database: tables that refer to others, rows, indexes, views; then a query."""

import random

rng = random.Random(340)
WORDS = "order item stock price label client street city note state level batch vendor".split()
KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよ"

print("PRAGMA encoding = 'UTF-16be';\nPRAGMA foreign_keys = ON;\nBEGIN;")
tables = []
for number in range(24):
    name = f"{rng.choice(WORDS)}_{number}"
    columns = [f"{word}{number}" for word in rng.sample(WORDS, rng.randrange(4, 8))]
    parts = ["id INTEGER PRIMARY KEY"]
    parts += [f"{column} {rng.choice(('TEXT', 'INTEGER', 'REAL'))}" for column in columns]
    parent = rng.choice(tables) if tables else None
    if parent:
        parts.append(f"parent INTEGER REFERENCES {parent[0]}(id)")
    print(f"CREATE TABLE {name} (\n  " + ",\n  ".join(parts) + "\n);")
    for row in range(1, 25):
        values = [str(row)]
        for part in parts[1 : 1 + len(columns)]:
            if part.endswith("TEXT"):
                values.append("'" + "".join(rng.choice(KANA) for _ in range(rng.randrange(2, 7))) + "'")
            else:
                values.append(str(rng.randrange(9999)))
        listed = ["id", *columns]
        if parent:
            listed.append("parent")
            values.append(str(rng.randrange(1, 25)))
        print(f"INSERT INTO {name} ({', '.join(listed)}) VALUES ({', '.join(values)});")
    for column in rng.sample(columns, 2):
        print(f"CREATE INDEX {name}_{column} ON {name} ({column});")
    print(f"CREATE VIEW {name}_all AS SELECT id, {', '.join(columns[:3])} FROM {name} WHERE id < 20;")
    if parent:
        print(f"CREATE VIEW {name}_joined AS SELECT a.id, b.id AS other FROM {name} a JOIN {parent[0]} b ON a.parent = b.id;")
    tables.append((name, columns))
    if number == 13:
        print("CREATE TABLE word (id INTEGER PRIMARY KEY, spelling TEXT NOT NULL, origin INTEGER REFERENCES " + name + "(id));")
        print("CREATE INDEX word_spelling ON word (spelling);")
        for row in range(1, 31):
            text = "".join(rng.choice(KANA.replace("み", "")) for _ in range(4))
            print(f"INSERT INTO word (id, spelling, origin) VALUES ({row}, '{'みずうみ' if row == 17 else text}', {row % 24 + 1});")
        print("CREATE VIEW spelled AS SELECT id, spelling FROM word WHERE origin IS NOT NULL;")
print("COMMIT;\nSELECT s.id, s.spelling FROM spelled s WHERE s.spelling GLOB 'み*' ORDER BY s.id;")

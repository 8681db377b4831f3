"""All statements run, and the last one finds nothing where it finds a row without its index."""

import re
import sys

import apsw


def found(script):
    rows = []

    def trace(cursor, row):
        rows[-1].append(row)
        return row

    def began(cursor, statement, bindings):
        rows.append([])
        return True

    cursor = apsw.Connection(":memory:").cursor()
    cursor.setexectrace(began)
    cursor.setrowtrace(trace)
    for _ in cursor.execute(script):
        pass
    return rows[-1]


text = open(sys.argv[1], encoding="utf-8", errors="surrogateescape").read()
if not re.search(r"\bglob\b[^;]*;?\s*\Z", text, re.I):
    sys.exit(1)
try:
    sys.exit(not (found(text) == [] and found(re.sub(r"(?i)utf-?16be", "UTF-8", text)) != []))
except (apsw.Error, IndexError, UnicodeError):
    sys.exit(2)

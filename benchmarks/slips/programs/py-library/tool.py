import json
import sys


def load(text):
    head, _, body = text.partition("\n")
    meta = json.loads(head)  # BUG head
    return meta, json.loads(body or "null")  # BUG body


print(load(open(sys.argv[1]).read()))

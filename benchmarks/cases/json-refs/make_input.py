"""Prints a JSON schema of definitions that refer to each other; seven of them lead in a ring."""

import json
import random

rng = random.Random(4)
WORDS = "service network volume port secret config deploy limit probe image label route".split()
COUNT = 260
RING = [33, 71, 104, 140, 166, 203, 241]


def name(number):
    return f"{WORDS[number % len(WORDS)]}-{number}"


def reference(number):
    return {"$ref": f"#/definitions/{name(number)}"}


def definition(number):
    if number in RING:
        following = RING[(RING.index(number) + 1) % len(RING)]
        return {"description": f"The {rng.choice(WORDS)}.", "allOf": [reference(following), {"type": "object"}]}
    properties = {}
    for word in rng.sample(WORDS, rng.randrange(2, 6)):
        kind = rng.choice(("string", "integer", "boolean"))
        properties[word] = {"type": kind, "description": f"The {word} of {name(number)}."}
    properties["also"] = reference(rng.randrange(COUNT))
    properties["all"] = {"type": "array", "items": reference(rng.randrange(COUNT))}
    return {"type": "object", "properties": properties, "additionalProperties": rng.random() < 0.5}


schema = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "title": "A deployment",
    "type": "object",
    "definitions": {name(number): definition(number) for number in range(COUNT)},
    "properties": {word: reference(number) for number, word in enumerate(WORDS)},
    "required": ["service"],
}
schema["properties"]["service"] = {"anyOf": [reference(9), reference(RING[0])]}
print(json.dumps(schema, indent=1))

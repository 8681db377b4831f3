"""Prints C as a preprocessor leaves it: records, their functions, and one call with a buffer that is too short."""

import random

rng = random.Random(12_2)
WORDS = "name code host path mode rate size flag next prev head tail load kind mask step".split()
TYPES = ("int", "unsigned", "long", "short", "unsigned char", "double")

print("typedef unsigned long size_type;")
print("extern void *memset(void *, int, size_type);\nextern void *memcpy(void *, const void *, size_type);")
print("extern int printf(const char *, ...);\nextern void *malloc(size_type);\n")
print("enum limits { LABEL = 8, ADDRESS = 16, BLOCK = 64 };\n")
records = []
for number in range(90):
    fields = []
    print(f"typedef struct record{number} {{")
    for word in rng.sample(WORDS, rng.randrange(4, 9)):
        kind = rng.choice(TYPES)
        if records and rng.random() < 0.25:
            print(f"    struct record{rng.choice(records)} *{word}_ref;")
        elif rng.random() < 0.2:
            print(f"    char {word}_text[ADDRESS];")
        else:
            print(f"    {kind} {word};")
            fields.append(word)
    print(f"    int count;\n}} record{number}_t;\n")
    fields.append("count")
    print(f"static int record{number}_sum(const record{number}_t *self, int start)\n{{")
    print("    int total = start;")
    for field in fields:
        print(f"    total += (int)self->{field} * {rng.randrange(1, 50)};")
    print(f"    if (total > {rng.randrange(1000)})\n        total -= self->count;\n    return total;\n}}\n")
    print(f"int record{number}_fill(record{number}_t *self, int limit)\n{{\n    int index;")
    print("    memset(self, 0, sizeof *self);\n    index = limit / 2;")
    for field in fields:
        print(f"    self->{field} = index + {rng.randrange(1, 20)};")
    print(f"    printf(\"%d {rng.choice(WORDS)}\\n\", record{number}_sum(self, limit));")
    print(f"    return self->count;\n}}\n")
    records.append(number)
    if number == 51:
        print("typedef unsigned char octet_t;\ntypedef octet_t address_t[ADDRESS];\n")
        print("typedef struct peer {\n    struct record12 *owner;\n    octet_t label[LABEL];\n    int port;\n} peer_t;\n")
        print("int address_parse(const char *text, address_t result);\n")
    if number == 70:
        print("int peer_rename(peer_t *peer, const char *text)\n{\n    if (peer->port > 0)")
        print("        return address_parse(text, peer->label);\n    return 0;\n}\n")

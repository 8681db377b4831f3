"""Prints an alignment in NEXUS form: a table of species by positions, whose size stands in its head."""

import random

rng = random.Random(120)
GENUS = "Acer Betula Carex Drosera Erica Fagus Galium Hedera Inula Juncus Larix Malva Nepeta Oxalis".split()
SPECIES = "alba minor nigra rubra major dubia vera rosea nana pumila arvensis montana palustris".split()
TAXA, POSITIONS = 96, 1100

pairs = [(genus, species) for genus in GENUS for species in SPECIES]
names = [f"{genus[:3]}{species[:4]}{number:02}" for number, (genus, species) in enumerate(rng.sample(pairs, TAXA))]
names[23], names[71] = "Eriophorum_latifolium", "Eriophorum_gracile"
root = [rng.choice("ACGT") for _ in range(POSITIONS)]
print("#NEXUS\n\n[ alignment of the ITS region, gaps are - ]\n\nBegin data;")
print(f"  Dimensions ntax={TAXA} nchar={POSITIONS};\n  Format datatype=DNA missing=? gap=-;\n  Matrix")
for name in names:
    row = [rng.choice("ACGT-?") if rng.random() < 0.12 else base for base in root]
    print(f"    {name:24}{''.join(row)}")
print("  ;\nEnd;")

import sys
from io import StringIO

from Bio.AlignIO import PhylipIO
from Bio.AlignIO.NexusIO import NexusIterator

try:
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as file:
        alignment = next(NexusIterator(file))
except Exception:
    sys.exit(2)
try:
    PhylipIO.PhylipWriter(StringIO()).write_alignment(alignment)
except ValueError as error:
    sys.exit("possibly due to truncation" not in str(error))
sys.exit(1)

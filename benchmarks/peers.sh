#!/bin/sh
# Makes the environments of the peers that pip can install; cvise and creduce are Debian packages.
set -e
. "$(dirname "$0")/common.sh"
mkenv peers "$PY311" picire==21.8 lithium-reducer==4.0.0
for python in python3.14 python3.13 python3.12; do
    "$python" -c '' 2>/dev/null || continue
    mkenv shrinkray "$python" shrinkray
    exit
done
echo "Shrink Ray is left out: it needs Python 3.12 or later."

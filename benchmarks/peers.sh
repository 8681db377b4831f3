#!/bin/sh
# Makes the environments of the peers that pip can install; cvise and creduce are Debian packages.
set -e
. "$(dirname "$0")/common.sh"
mkenv peers "$PY311" picire==21.8 lithium-reducer==4.0.0
py=$(pick python3.13 python3.12 none) && mkenv shrinkray "$py" shrinkray || echo "Shrink Ray needs Python 3.12 or later."

#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv py-classes "$PY311"
mkinput py-classes py

#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv json-refs "$PY311" jsonschema==2.6.0 setuptools==65.5.0
mkinput json-refs json

#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv sml-pygments "$PY311" pygments==2.7.3
mkinput sml-pygments sml

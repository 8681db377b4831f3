#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
pick gcc >/dev/null
mkdir -p "$BENCH_ENV/c-strings"
mkinput c-strings c  # system gcc 12

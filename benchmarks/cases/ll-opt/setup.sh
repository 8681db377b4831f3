#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
pick opt >/dev/null
mkdir -p "$BENCH_ENV/ll-opt"
mkinput ll-opt ll  # the system's opt 14 (Debian's package llvm)

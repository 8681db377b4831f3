#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
pick g++ >/dev/null
mkdir -p "$BENCH_ENV/cpp-override"
mkinput cpp-override cpp  # system g++ 12

#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkdir -p "$BENCH_ENV/cpp-override"
mkinput cpp-override cpp  # system g++ 12

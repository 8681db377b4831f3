#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mknpm css-lightningcss lightningcss-cli@1.16.0 bootstrap@5.3.0
cp "$BENCH_ENV/css-lightningcss/node_modules/bootstrap/dist/css/bootstrap.css" "$BENCH_ENV/css-lightningcss/input.css"

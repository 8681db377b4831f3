#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mknpm js-esbuild esbuild@0.18.0 @vue/compiler-dom@3.3.4
cp "$BENCH_ENV/js-esbuild/node_modules/@vue/compiler-dom/dist/compiler-dom.global.js" "$BENCH_ENV/js-esbuild/input.js"

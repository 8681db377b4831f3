#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkdeb cnf-minisat minisat
mkinput cnf-minisat cnf

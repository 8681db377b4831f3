#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv sql-apsw "$PY311" apsw==3.40.0.0
mkinput sql-apsw sql

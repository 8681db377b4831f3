#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv xslt-lxml "$PY311" lxml==4.9.2
mkinput xslt-lxml xml

#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv graphql-core "$PY311" graphql-core==3.0.0
mkinput graphql-core graphql

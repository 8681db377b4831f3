#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mknpm graphql-js graphql@15.0.0
mkinput graphql-js graphql

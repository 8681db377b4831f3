#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv nexus-biopython "$PY311" biopython==1.81 numpy==1.26.4
mkinput nexus-biopython nex

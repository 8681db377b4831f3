#!/bin/sh
set -e
. "$(dirname "$0")/../../common.sh"
mkenv ics-vobject "$PY311" vobject==0.9.6.1 python-dateutil==2.8.2 pytz==2023.3 six==1.16.0
mkinput ics-vobject ics

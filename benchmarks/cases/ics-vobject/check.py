"""Shows a calendar in a time zone that is drawn anew in each run, as a careless test would."""

import random
import sys

import pytz
import vobject

ZONES = (
    "Asia/Tokyo Asia/Kolkata Asia/Dubai Africa/Lagos Africa/Nairobi America/Bogota America/Lima"
    " America/New_York Pacific/Honolulu Australia/Brisbane"
).split()

zone = pytz.timezone(random.SystemRandom().choice(ZONES))
try:
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        calendar = list(vobject.readComponents(file.read()))
    starts = [event.dtstart.value for part in calendar for event in getattr(part, "vevent_list", [])]
except Exception:
    sys.exit(2)
try:
    for start in starts:
        zone.localize(start, is_dst=None)
except pytz.NonExistentTimeError:
    sys.exit(0)
except (AttributeError, ValueError, pytz.AmbiguousTimeError):
    sys.exit(2)
sys.exit(1)

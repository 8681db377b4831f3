"""Prints a calendar; one of its events is at a time that the clocks of New York skip."""

import random

rng = random.Random(2024)
WORDS = "review lunch standup dentist train choir call planning visit course".split()

print("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//calendar//EN")
for number in range(240):
    day = f"2024{rng.randrange(4, 10):02}{rng.randrange(1, 28):02}"
    start = f"{day}T{rng.randrange(7, 20):02}{rng.choice(('00', '15', '30'))}00"
    if number == 151:
        start = "20240310T023000"
    print(f"BEGIN:VEVENT\nUID:{number}-{rng.randrange(10**9)}@example.org\nDTSTAMP:20240101T000000Z")
    print(f"DTSTART:{start}\nDURATION:PT{rng.randrange(1, 4)}H\nSUMMARY:{rng.choice(WORDS)} {rng.choice(WORDS)}")
    print(f"LOCATION:Room {rng.randrange(99)}\nCATEGORIES:{rng.choice(WORDS).upper()}")
    print(f"DESCRIPTION:{' '.join(rng.choice(WORDS) for _ in range(rng.randrange(5, 20)))}")
    if rng.random() < 0.4:
        print(f"BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:{rng.choice(WORDS)}\nTRIGGER:-PT{rng.randrange(5, 60)}M\nEND:VALARM")
    print("END:VEVENT")
print("END:VCALENDAR")

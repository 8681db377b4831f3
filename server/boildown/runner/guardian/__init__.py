"""The guardian: a small process that starts the runs of one worker and outlives none of them.

It takes requests from standard input and answers each on standard output. It forks the runs itself,
since a process with little memory and one thread forks fast and safely. It becomes the subreaper of
all that it starts, so a daemon that left its session and its parent is still its child, and nothing
survives a run, whether that ends, times out or is cancelled. When the pipe from Boildown closes,
for whatever reason (an exit, a crash, `kill -9`), it kills all its descendants, removes its
directory and ends.

Away from Linux there is no subreaper: there a run's process group is killed, which reaches every
descendant but those that made a session of their own. Windows has neither `fork` nor process
groups; test commands do not run there yet. What is asked of Linux alone stands in `linux`.

The guardian may be started by another Python than Boildown's, the user's (3.9 or later), to load
what the runs need ahead of them. So its modules import nothing but the standard library and each
other, and of that little: `typing` and `threading` would make every fork and every cold predicate
slower. All paths and arguments are bytes.
"""

BASE = b"boildown-run-"
"""The beginning of the names of guardians' directories."""

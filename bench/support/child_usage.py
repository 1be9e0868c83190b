"""Runs a command and prints its usage from start to exit as JSON: elapsed milliseconds, processor
milliseconds of all its threads, and bytes of peak memory. With a folder, it also watches, every two
milliseconds, the one file that the command writes there: the times at which a file of any name
appeared, had its first bytes and its last, and at which one without ".partial" existed.

    python3 child_usage.py [--watch FOLDER] COMMAND...
"""

import json, os, sys, time

args = sys.argv[1:]
folder = args[1] if args[0] == "--watch" else None
command = args[2:] if folder else args
marks, size = {}, 0
start = time.monotonic()


def elapsed():
    return 1e3 * (time.monotonic() - start)


def look():
    global size
    for entry in os.scandir(folder):
        try:
            now = entry.stat().st_size
        except FileNotFoundError:
            continue
        marks.setdefault("created", elapsed())
        if now != size:
            size = now
            marks.setdefault("firstBytes", elapsed())
            marks["lastBytes"] = elapsed()
        if not entry.name.endswith(".partial"):
            marks.setdefault("renamed", elapsed())


child = os.posix_spawnp(command[0], command, os.environ)
while folder:
    look()
    pid, status, usage = os.wait4(child, os.WNOHANG)
    if pid:
        break
    time.sleep(0.002)
else:
    _, status, usage = os.wait4(child, 0)
total = elapsed()
print(json.dumps({
    "elapsedMs": total,
    "processorMs": 1e3 * (usage.ru_utime + usage.ru_stime),
    "peakBytes": 1024 * usage.ru_maxrss,
    **({"marks": marks} if folder else {}),
}))
sys.exit(os.waitstatus_to_exitcode(status) and 1)

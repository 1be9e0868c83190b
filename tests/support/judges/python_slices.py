"""Picks rows by position as Python's lists do: one JSON case a line in, one result a line out.

A case is {"rows": n, "steps": [...]}: the rows 0 to n - 1, and what to do with them, one after the
other. A result is the list of rows, or null where a row does not exist.
"""

import json
import sys


def taken(rows, part):
    if isinstance(part, list):
        return rows[slice(*part)]
    return [rows[part]]


def picked(case):
    rows = list(range(case["rows"]))
    for step in case["steps"]:
        if "slice" in step:
            rows = rows[slice(*step["slice"])]
        elif "take" in step:
            rows = [row for part in step["take"] for row in taken(rows, part)]
        else:
            rows = [row for row in rows if row not in step["without"]]
    return rows


for line in sys.stdin:
    try:
        print(json.dumps(picked(json.loads(line))))
    except IndexError:
        print("null")

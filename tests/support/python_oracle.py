"""Reads cases as JSON from stdin and writes what str gives for each, null where it raises."""

import json
import sys

OPERATIONS = {
    "upper": lambda s: s.upper(),
    # Character by character: without the rule for a sigma at the end of a word.
    "lower": lambda s: "".join(c.lower() for c in s),
    "length": len,
    "byteLength": lambda s: len(s.encode()),
    "slice": lambda s, start=None, stop=None, step=None: s[start:stop:step],
    "splitPart": lambda s, delimiter, index: s.split(delimiter)[index],
    "contains": lambda s, target: target in s,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "find": str.find,
    "strip": str.strip,
    "lstrip": str.lstrip,
    "rstrip": str.rstrip,
    "replace": lambda s, a, b, n=None: s.replace(a, b, -1 if n is None else n),
}


def answer(case):
    try:
        return OPERATIONS[case["op"]](case["text"], *case["args"])
    except (IndexError, ValueError):
        return None


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)

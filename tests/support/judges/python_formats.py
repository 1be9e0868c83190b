"""Numbers in formats, by Python: reads cases as JSON, and writes the texts as JSON."""

import json
import struct
import sys
from decimal import Decimal

EXACT = 2**53


def formatted(case):
    spec = case["format"]
    if "bits" in case:
        value = struct.unpack(">d", bytes.fromhex(case["bits"].rjust(16, "0")))[0]
    else:
        value = int(case["integer"])
        # Python makes a float of it for these types. Decimal is exact, and rounds as floats are rounded.
        if spec.endswith("%") or (spec[-1:] in ("e", "f") and abs(value) > EXACT):
            value = Decimal(value)
    return format(value, spec)


json.dump([formatted(case) for case in json.load(sys.stdin)], sys.stdout)

"""Writes what Python says of every character: the ranges of those for which each method is true,
and of those that its version of Unicode has. Also each character's own mappings of case."""

import json
import sys
import unicodedata

KINDS = {
    "isAlpha": str.isalpha,
    "isDecimal": str.isdecimal,
    "isDigit": str.isdigit,
    "isNumeric": str.isnumeric,
    "isAlnum": str.isalnum,
    "isSpace": str.isspace,
    "isUpper": str.isupper,
    "isLower": str.islower,
    "isTitle": str.istitle,
    "assigned": lambda char: unicodedata.category(char) != "Cn",
}
CASES = {
    "swapcase": str.swapcase,
    "capitalize": str.capitalize,
    "title": str.title,
    "lower": str.lower,
    "upper": str.upper,
}


def boundaries(test):
    """Where a set of characters starts, stops, starts again, ..."""
    result = []
    for code in range(0x110001):
        if (code < 0x110000 and test(chr(code))) != (len(result) % 2 == 1):
            result.append(code)
    return result


def changes(method):
    """The characters that a method changes, and what it makes of them."""
    codes = (code for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return {chr(code): method(chr(code)) for code in codes if method(chr(code)) != chr(code)}


json.dump(
    {
        "kinds": {name: boundaries(test) for name, test in KINDS.items()},
        "cases": {name: changes(method) for name, method in CASES.items()},
    },
    sys.stdout,
)

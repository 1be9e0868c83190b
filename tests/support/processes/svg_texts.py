"""The texts of an SVG file as JSON lines: what each says, and where its lines stand in pixels."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def numbers(text):
    return [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


def shift(element):
    found = re.match(r"translate\(([^)]*)\)", element.get("transform", ""))
    x, y = (numbers(found.group(1)) + [0.0])[:2] if found else (0.0, 0.0)
    return x, y


def walk(element, left, top, anchor, size):
    x, y = shift(element)
    left, top = left + x, top + y
    anchor = element.get("text-anchor", anchor)
    styled = re.search(r"font-size:\s*([\d.]+)px", element.get("style", ""))
    size = float(styled.group(1)) if styled else numbers(element.get("font-size", size))[0]
    if element.tag == SVG + "text":
        lines = list(element) or [element]
        baseline = top
        for index, line in enumerate(lines):
            step = line.get("dy") or line.get("y") or element.get("y") or "0"
            unit = size if step.endswith("em") else 1
            baseline = (baseline if index else top) + numbers(step)[0] * unit
            yield {"text": line.text, "x": left, "y": baseline, "anchor": anchor, "size": size}
    for child in element:
        yield from walk(child, left, top, anchor, str(size))


root = ElementTree.parse(sys.argv[1]).getroot()
assert root.tag == SVG + "svg", root.tag
first = {"width": float(root.get("width")), "height": float(root.get("height"))}
texts = list(walk(root, 0.0, 0.0, "middle", "10"))
json.dump({**first, "texts": texts}, sys.stdout)

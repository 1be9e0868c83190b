"""Zarr by Python's standard library alone: an oracle that has nothing in common with ours.

Reads lines of JSON. With "items" (base64, C order, little endian) an array is written to "path", with
the text "metadata" as its document; without, it is read, and its items are printed in base64.
Items of any length are a list of base64. With "gap", chunks of shards have so many unused bytes before
and behind them.
Knows the codecs bytes, vlen-utf8, vlen-bytes, transpose, sharding_indexed, gzip, zlib and crc32c, and
order F of version 2.
"""

import base64
import gzip
import itertools
import json
import os
import re
import sys
import zlib

MISSING = 2**64 - 1


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def places(shape):
    return itertools.product(*(range(length) for length in shape))


def swap(items, unit):
    return [b"".join(item[i : i + unit][::-1] for i in range(0, len(item), unit)) for item in items]


class Array:
    """What a document says: bytes of items and units, the chunk, codecs, and names of chunks."""

    def __init__(self, folder, document, gap=0):
        self.folder = folder
        self.gap = gap
        self.shape = document["shape"]
        if document["zarr_format"] == 2:
            self.version2(document)
        else:
            self.version3(document)

    def version2(self, document):
        dtype = document["dtype"]
        kind, size = dtype[1], int(dtype[2:] or 0)
        self.item = size
        filters = [{"name": filter["id"]} for filter in document["filters"] or []]
        self.unit = {"c": size // 2, "V": 1, "S": 1, "b": 1}.get(kind, size)
        self.chunk = document["chunks"]
        separator = document.get("dimension_separator", ".")
        self.name = lambda place: separator.join(map(str, place)) if place else "0"
        rank = len(self.shape)
        order = [{"name": "transpose", "configuration": {"order": list(range(rank))[::-1]}}]
        compressor = document["compressor"]
        endian = "big" if dtype[0] == ">" else "little"
        packing = filters if kind == "O" else [{"name": "bytes", "configuration": {"endian": endian}}]
        self.codecs = (order if document["order"] == "F" else []) + packing + ([{"name": compressor["id"], "configuration": compressor}] if compressor else [])
        is_text = kind == "O" and filters[0]["name"] == "vlen-utf8"
        self.fill = self.fill_item("T" if is_text else kind, document["fill_value"])

    def version3(self, document):
        name = document["data_type"]
        bits = int(re.sub(r"\D", "", name) or 8)
        self.item = bits // 8
        words = {"string": "T", "bytes": "O", "variable_length_bytes": "O"}
        kind = words.get(name) or {"b": "b", "i": "i", "u": "u", "f": "f", "c": "c", "r": "V"}[name[0]]
        self.item = 0 if kind in "TO" else self.item
        self.unit = {"c": self.item // 2, "V": 1}.get(kind, self.item)
        self.chunk = document["chunk_grid"]["configuration"]["chunk_shape"]
        encoding = document["chunk_key_encoding"]
        default = encoding["name"] == "default"
        separator = encoding.get("configuration", {}).get("separator", "/" if default else ".")
        first = ["c"] if default else []
        self.name = lambda place: separator.join(first + list(map(str, place))) or "0"
        self.codecs = document["codecs"]
        self.fill = self.fill_item(kind, document["fill_value"])

    def fill_item(self, kind, value):
        import struct

        if kind == "T":
            return (value or "").encode()
        if kind == "O":
            return bytes(value) if isinstance(value, list) else base64.b64decode(value or "")
        if kind == "V":
            raw = bytes(value) if isinstance(value, list) else base64.b64decode(value or "")
            return raw.ljust(self.item, b"\0")
        if kind == "c":
            parts = value if isinstance(value, list) else [value, 0]
            half = {8: "<f", 16: "<d"}[self.item]
            return b"".join(struct.pack(half, float(part)) for part in parts)
        if kind == "f":
            if isinstance(value, str) and value.startswith("0x"):
                return int(value, 16).to_bytes(self.item, "little")
            return struct.pack({2: "<e", 4: "<f", 8: "<d"}[self.item], float(value))
        return int(value).to_bytes(self.item, "little", signed=kind == "i")

    def encode(self, items, shape, codecs, unit):
        data = None
        for codec in codecs:
            name, config = codec["name"], codec.get("configuration", {})
            if name == "transpose":
                order = config["order"]
                shaped = dict(zip(places(shape), items))
                turned = [shape[axis] for axis in order]
                items = []
                for place in places(turned):
                    source = [0] * len(shape)
                    for to, axis in enumerate(order):
                        source[axis] = place[to]
                    items.append(shaped[tuple(source)])
                shape = turned
            elif name == "bytes":
                data = b"".join(swap(items, unit) if config.get("endian") == "big" else items)
            elif name in ["vlen-utf8", "vlen-bytes"]:
                lengths = [len(items)] + [len(item) for item in items]
                words = [length.to_bytes(4, "little") for length in lengths]
                data = words[0] + b"".join(word + item for word, item in zip(words[1:], items))
            elif name == "sharding_indexed":
                data = self.encode_shard(items, shape, config, unit)
            elif name == "gzip":
                data = gzip.compress(data, config["level"])
            elif name == "zlib":
                data = zlib.compress(data, config["level"])
            elif name == "crc32c":
                data += crc32c(data).to_bytes(4, "little")
        return data

    def encode_shard(self, items, shape, config, unit):
        inner = config["chunk_shape"]
        counts = [length // part for length, part in zip(shape, inner)]
        shaped = dict(zip(places(shape), items))
        first = config["index_location"] == "start"
        index_bytes = 16 * len(list(places(counts))) + 4 * (len(config["index_codecs"]) - 1)
        body, index = b"\xee" * self.gap, []
        for place in places(counts):
            chunk = [
                shaped[tuple(p * n + i for p, n, i in zip(place, inner, at))] for at in places(inner)
            ]
            if all(item == self.fill for item in chunk):
                index += [MISSING, MISSING]
                continue
            encoded = self.encode(chunk, inner, config["codecs"], unit)
            index += [len(body) + (index_bytes if first else 0), len(encoded)]
            body += encoded + b"\xee" * self.gap
        words = [word.to_bytes(8, "little") for word in index]
        table = self.encode(words, counts + [2], config["index_codecs"], 8)
        return table + body if first else body + table

    def decode(self, data, shape, codecs, unit):
        """Items of a chunk; codecs backwards, transposes last."""
        shapes = [shape]
        for codec in codecs:
            if codec["name"] == "transpose":
                shapes.append([shapes[-1][axis] for axis in codec["configuration"]["order"]])
        items = None
        for codec in reversed(codecs):
            name, config = codec["name"], codec.get("configuration", {})
            if name == "crc32c":
                data, checksum = data[:-4], data[-4:]
                assert crc32c(data) == int.from_bytes(checksum, "little"), "checksum"
            elif name == "gzip":
                data = gzip.decompress(data)
            elif name == "zlib":
                data = zlib.decompress(data)
            elif name == "bytes":
                size = 8 if unit == "index" else self.item
                items = [data[i : i + size] for i in range(0, len(data), size)]
                if config.get("endian") == "big":
                    items = swap(items, self.unit)
            elif name in ["vlen-utf8", "vlen-bytes"]:
                items, at = [], 4
                for _ in range(int.from_bytes(data[:4], "little")):
                    stop = at + 4 + int.from_bytes(data[at : at + 4], "little")
                    items.append(data[at + 4 : stop])
                    at = stop
                assert at == len(data), "length"
                if name == "vlen-utf8":
                    [item.decode() for item in items]
            elif name == "sharding_indexed":
                items = self.decode_shard(data, shapes[-1], config)
            elif name == "transpose":
                turned, shape = shapes.pop(), shapes[-1]
                order = config["order"]
                shaped = dict(zip(places(turned), items))
                items = [shaped[tuple(place[axis] for axis in order)] for place in places(shape)]
        return items

    def decode_shard(self, data, shape, config):
        inner = config["chunk_shape"]
        counts = [length // part for length, part in zip(shape, inner)]
        index_bytes = 16 * len(list(places(counts))) + 4 * (len(config["index_codecs"]) - 1)
        table = data[:index_bytes] if config["index_location"] == "start" else data[-index_bytes:]
        index = self.decode(table, counts + [2], config["index_codecs"], "index")
        words = iter(int.from_bytes(word, "little") for word in index)
        shaped = {place: self.fill for place in places(shape)}
        for place in places(counts):
            offset, length = next(words), next(words)
            if offset == MISSING and length == MISSING:
                continue
            chunk = self.decode(data[offset : offset + length], inner, config["codecs"], self.unit)
            for at, item in zip(places(inner), chunk):
                shaped[tuple(p * n + i for p, n, i in zip(place, inner, at))] = item
        return list(shaped.values())

    def grid(self):
        return places([-(-length // part) for length, part in zip(self.shape, self.chunk)])

    def read(self):
        shaped = {place: self.fill for place in places(self.shape)}
        for place in self.grid():
            path = os.path.join(self.folder, self.name(place))
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                items = self.decode(file.read(), self.chunk, self.codecs, self.unit)
            for at, item in zip(places(self.chunk), items):
                full = tuple(p * n + i for p, n, i in zip(place, self.chunk, at))
                if full in shaped:
                    shaped[full] = item
        return list(shaped.values())

    def items_in(self, data):
        if isinstance(data, list):
            return [base64.b64decode(item) for item in data]
        joined = base64.b64decode(data)
        return [joined[i : i + self.item] for i in range(0, len(joined), self.item)]

    def write(self, items):
        shaped = dict(zip(places(self.shape), items))
        for place in self.grid():
            chunk = [
                shaped.get(tuple(p * n + i for p, n, i in zip(place, self.chunk, at)), self.fill)
                for at in places(self.chunk)
            ]
            if all(item == self.fill for item in chunk):
                continue
            path = os.path.join(self.folder, self.name(place))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(self.encode(chunk, self.chunk, self.codecs, self.unit))


for line in sys.stdin:
    job = json.loads(line)
    folder = job["path"]
    if "items" in job:
        document = json.loads(job["metadata"])
        os.makedirs(folder, exist_ok=True)
        name = ".zarray" if document["zarr_format"] == 2 else "zarr.json"
        with open(os.path.join(folder, name), "w") as file:
            file.write(job["metadata"])
        array = Array(folder, document, job.get("gap", 0))
        array.write(array.items_in(job["items"]))
        print("")
    else:
        name = next(n for n in ["zarr.json", ".zarray"] if os.path.exists(os.path.join(folder, n)))
        with open(os.path.join(folder, name)) as file:
            document = json.load(file)
        array = Array(folder, document)
        items = array.read()
        if array.item > 0:
            items = [b"".join(items)]
        print(*(base64.b64encode(item).decode() for item in items), sep=",")

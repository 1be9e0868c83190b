"""zarr-python 2 as an oracle: makes arrays of many types and codecs, and compares arrays.

Reads lines of JSON. {"make": folder} writes arrays, a.zarr of one folder each, and prints for each a
line with its name and its items in base64, in C order and little endian; {"makeTexts": folder} does so
with items of any length, each in base64 by itself; {"makeScaled": folder} with the filter
FixedScaleOffset, and "raw" are the items before it. {"compare": [a, b]} prints what differs between two arrays except their chunks, or an empty line.
{"write": folder, "items": ...} writes items, in base64, to an array that has documents and no chunks;
{"read": folder} prints them, those of any length as a list.
"""

import base64
import json
import sys

import numcodecs
import numpy as np
import zarr

COMPRESSORS = [
    None,
    numcodecs.Zlib(level=3),
    numcodecs.GZip(level=2),
    numcodecs.Zstd(level=4),
    numcodecs.LZ4(),
    numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1),
    numcodecs.Blosc(cname="zstd", clevel=3, shuffle=-1),
    numcodecs.Blosc(cname="blosclz", clevel=9, shuffle=2),
    numcodecs.Blosc(cname="lz4hc", clevel=1, shuffle=0),
    numcodecs.Blosc(cname="zlib", clevel=1, shuffle=1, blocksize=256),
    numcodecs.Blosc(cname="snappy", clevel=5, shuffle=1),
]

# Types, with fill values other than zero.
TYPES = [
    ("|b1", True),
    ("|i1", -3),
    (">u2", 65535),
    ("<i4", -7),
    (">i8", -(2**63)),
    ("<u8", 2**64 - 1),
    ("<f2", float("nan")),
    (">f4", float("inf")),
    ("<f8", 0.1),
    ("<c8", complex(1, 2)),
    (">c16", complex(float("nan"), -1)),
    ("|S5", b"ab"),
    ("<U3", "xy"),
    (">U2", "\U0001f600"),
    ("<M8[ns]", None),
    (">M8[25s]", 0),
    ("<m8[D]", 5),
    ("|V3", None),
    ([("a", "<i4"), ("b", "|S3"), ("c", ">f8", (2,))], None),
]


def values(dtype, shape, random):
    count = int(np.prod(shape))
    if dtype.kind in "US":
        texts = [random.choice(["", "a", "bc", "dé"[: 1 + i % 2]]) for i in range(count)]
        if dtype.kind == "S":
            texts = [text.encode("latin-1") for text in texts]
        return np.array(texts, dtype=dtype).reshape(shape)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    raw = random.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    if dtype.kind in "iu":
        raw[count * dtype.itemsize // 2 :] = 0
    return np.frombuffer(raw.tobytes(), dtype=dtype).reshape(shape)


def make(folder):
    random = np.random.default_rng(14)
    number = 0
    for declared, fill in TYPES:
        dtype = np.dtype(declared)
        for at, compressor in enumerate(COMPRESSORS):
            shape = [(7,), (5, 6), (3, 4, 5)][at % 3]
            filters = []
            if dtype.kind in "iu" and at % 2:
                filters.append(numcodecs.Delta(dtype=dtype.str))
            if dtype.kind in "iufM" and at % 4 == 2:
                filters.append(numcodecs.Shuffle(elementsize=dtype.itemsize))
            if dtype.kind == "f" and dtype.isnative and at % 4 == 1:
                filters.append(numcodecs.BitRound(keepbits=5))
            array = zarr.open(
                f"{folder}/{number}",
                mode="w",
                shape=shape,
                chunks=tuple(max(1, length - 2) for length in shape),
                dtype=dtype,
                compressor=compressor,
                filters=filters or None,
                order="CF"[at % 5 == 0],
                fill_value=[0, fill, None][at % 3] if dtype.kind != "V" else None,
                dimension_separator="./"[at % 4 == 3],
            )
            array.attrs["number"] = number
            array.attrs["_ARRAY_DIMENSIONS"] = [f"d{axis}" for axis in range(len(shape))]
            # The first chunk stays missing where missing chunks have values.
            data = values(dtype, shape, random)
            if array.fill_value is None:
                array[...] = data
            else:
                array[1:] = data[1:]
            read = np.ascontiguousarray(array[...])
            host = read if dtype.names else read.astype(dtype.newbyteorder("<"))
            print(json.dumps({"name": str(number), "items": base64.b64encode(host.tobytes()).decode()}))
            number += 1


WORDS = ["", "", "a", "née", "日本語", "🏔️", "\ufeffx", "long text " * 30]


def as_bytes(item):
    # Objects that are nothing are empty once they are encoded.
    return item.encode() if isinstance(item, str) else item or b""


def make_texts(folder):
    random = np.random.default_rng(15)
    number = 0
    for codec in [numcodecs.VLenUTF8(), numcodecs.VLenBytes()]:
        is_text = codec.codec_id == "vlen-utf8"
        for at, compressor in enumerate(COMPRESSORS * 2):
            shape = [(7,), (5, 6), (3, 4, 5)][at % 3]
            array = zarr.open(
                f"{folder}/{number}",
                mode="w",
                shape=shape,
                chunks=tuple(max(1, length - 2) for length in shape),
                dtype=str if is_text else object,
                object_codec=codec,
                compressor=compressor,
                order="CF"[at % 5 == 0],
                fill_value=(["", None, "n\u00e9e"] if is_text else [None, 0])[at % (3 if is_text else 2)],
                dimension_separator="./"[at % 4 == 3],
            )
            array.attrs["number"] = number
            data = np.array([random.choice(WORDS) for _ in range(int(np.prod(shape)))], dtype=object)
            if not is_text:
                data = np.array([word.encode()[::-1] for word in data] + [None], dtype=object)[:-1]
            data = data.reshape(shape)
            if at % 2:
                array[...] = data
            else:
                array[1:] = data[1:]
            items = [base64.b64encode(as_bytes(item)).decode() for item in array[...].flat]
            print(json.dumps({"name": str(number), "items": items}))
            number += 1


def make_scaled(folder):
    random = np.random.default_rng(16)
    number = 0
    for dtype in ["<f4", ">f4", "<f8", ">f8"]:
        for astype in ["|u1", "|i1", "<i2", ">i2", "<u2", "<i4", ">u4", "<f4", ">f8", None]:
            for offset, scale in [(0, 10), (1000, 4), (-3.25, 0.5), (0.1, 0.3)]:
                filters = [numcodecs.FixedScaleOffset(offset, scale, dtype, astype)]
                if astype and number % 3 == 0 and astype[1] in "iu":
                    filters.append(numcodecs.Delta(astype))
                array = zarr.open(
                    f"{folder}/{number}",
                    mode="w",
                    shape=(6, 5),
                    chunks=(4, 3),
                    dtype=dtype,
                    compressor=COMPRESSORS[number % len(COMPRESSORS)],
                    filters=filters,
                    order="CF"[number % 5 == 0],
                    fill_value=None,
                )
                # Every fourth one lies between two integers.
                steps = random.integers(0, 100, 30) + random.choice([0, 0.5, 0.1, -0.3], 30).clip(0)
                raw = (offset + steps / scale).astype(dtype).reshape(6, 5)
                array[...] = raw
                host = [np.ascontiguousarray(a).astype("<" + dtype[1:]) for a in [array[...], raw]]
                items, before = [base64.b64encode(a.tobytes()).decode() for a in host]
                print(json.dumps({"name": str(number), "items": items, "raw": before}))
                number += 1


def compare(first, second):
    one, two = zarr.open(first, mode="r"), zarr.open(second, mode="r")
    for name in ["shape", "dtype", "order", "compressor", "filters", "_dimension_separator"]:
        if getattr(one, name) != getattr(two, name):
            return f"{name}: {getattr(one, name)} and {getattr(two, name)}"
    if dict(one.attrs) != dict(two.attrs):
        return f"attributes: {dict(one.attrs)} and {dict(two.attrs)}"
    if repr(one.fill_value) != repr(two.fill_value):
        return f"fill value: {one.fill_value} and {two.fill_value}"
    if one.dtype == object:
        same = [as_bytes(a) == as_bytes(b) for a, b in zip(one[...].flat, two[...].flat)]
        return "" if all(same) else f"items: {one[...]} and {two[...]}"
    if one[...].tobytes() != two[...].tobytes():
        return f"items: {one[...]} and {two[...]}"
    return ""


def write(folder, items):
    array = zarr.open(folder, mode="r+")
    if array.dtype == object:
        is_text = array.filters[0].codec_id == "vlen-utf8"
        decoded = [base64.b64decode(item) for item in items]
        data = np.empty(len(decoded), dtype=object)
        for at, item in enumerate(decoded):
            data[at] = item.decode() if is_text else item
    else:
        data = np.frombuffer(base64.b64decode(items), dtype=array.dtype.newbyteorder("<"))
    array[...] = data.reshape(array.shape)
    print("")


def read(folder):
    array = zarr.open(folder, mode="r")
    items = np.ascontiguousarray(array[...])
    if array.dtype == object:
        print(json.dumps([base64.b64encode(as_bytes(item)).decode() for item in items.flat]))
    else:
        host = items.astype(array.dtype.newbyteorder("<"))
        print(json.dumps(base64.b64encode(host.tobytes()).decode()))


for line in sys.stdin:
    job = json.loads(line)
    if "make" in job:
        make(job["make"])
    elif "makeScaled" in job:
        make_scaled(job["makeScaled"])
    elif "makeTexts" in job:
        make_texts(job["makeTexts"])
    elif "write" in job:
        write(job["write"], job["items"])
    elif "read" in job:
        read(job["read"])
    else:
        print(compare(*job["compare"]).replace("\n", " "))

/** Random arrays of Zarr: metadata as others write it, and items. */

import type { ZarrMetadata } from "../../../streams/formats/zarr/metadata/array_spec.ts";
import type { Draws, SeededRandom } from "./seeded_random.ts";

/** An array to be written. */
export interface RandomZarr {
  readonly metadata: ZarrMetadata;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly shard: readonly number[] | undefined;
  readonly itemBytes: number;
  /** In C order, in the byte order of the host. */
  readonly items: Uint8Array<ArrayBuffer>;
  /** The names of the drawn data type and codecs. */
  readonly kinds: readonly string[];
}

interface Codec {
  readonly name: string;
  readonly configuration?: Record<string, unknown>;
}

/** Types, with the letters of version 2, bytes of an item, and fill values of versions 2 and 3. */
const types = {
  bool: ["|b1", 1, [true], [true]],
  int8: ["|i1", 1, [-5], [-5]],
  uint16: ["u2", 2, [65535], [65535]],
  int32: ["i4", 4, [-7], [-7]],
  int64: ["i8", 8, [-3], [-3]],
  uint64: ["u8", 8, [9], [9]],
  float16: ["f2", 2, [1.5, "NaN"], [1.5, "NaN", "0x7e01"]],
  float32: ["f4", 4, [0.5, "-Infinity"], [0.5, "NaN", "0x7fc00001"]],
  float64: ["f8", 8, ["NaN"], [-0.25, "Infinity"]],
  complex64: ["c8", 8, [[1, "NaN"]], [[1, "NaN"]]],
  complex128: ["c16", 16, [[0, 2]], [["-Infinity", 2]]],
  r24: ["|V3", 3, ["AQID"], [[1, 2, 3]]],
} as const;

/** The kinds of codecs that are drawn. */
export const codecKinds: readonly string[] = [
  ...["little", "big", "transpose", "F", "sharding_indexed", "start", "delta", "shuffle"],
  ...["gzip", "zlib", "zstd", "blosc", "lz4", "crc32c"],
];

/** The data types that are drawn. */
export const typeNames: readonly string[] = Object.keys(types);

/** Draws an array of at most some hundred items. */
export function randomZarr(random: SeededRandom, draws: Draws): RandomZarr {
  const kinds: string[] = [];
  const note = <T extends string>(kind: T): T => {
    kinds.push(kind);
    draws.add(kind);
    return kind;
  };
  const format = random.pick([2, 3] as const);
  const name = note(random.pick(typeNames)) as keyof typeof types;
  const [letters, itemBytes, fills2, fills3] = types[name];
  const rank = random.below(4);
  const shape = Array.from({ length: rank }, () => random.below(9) === 0 ? 0 : 1 + random.below(8));
  const chunk = shape.map((length) => 1 + random.below(Math.max(1, length + 1)));
  const isSharded = format === 3 && random.chance(0.4);
  const shard = isSharded ? chunk.map((length) => length * (1 + random.below(3))) : undefined;
  const endian = note(random.pick(["little", "big"] as const));
  const numItems = shape.reduce((all, length) => all * length, 1);
  const items = new Uint8Array(numItems * itemBytes);
  const mostByte = name === "bool" ? 2 : 256;
  for (let at = 0; at < items.length; at++) items[at] = random.below(mostByte);
  // Long stretches of one item, which may be chunks of nothing but the fill value.
  if (random.chance(0.5)) items.fill(0, random.below(items.length + 1));
  const common = { shape, chunk, shard, itemBytes, items, kinds };
  const fill = random.chance(0.5) ? 0 : random.pick<unknown>(format === 2 ? fills2 : fills3);
  const attributes = { title: "drawn", _ARRAY_DIMENSIONS: shape.map((_, axis) => `d${axis}`) };
  if (format === 2) {
    const order = random.chance(0.3) ? note("F") : "C";
    const dtype = letters.startsWith("|") ? letters : (endian === "big" ? ">" : "<") + letters;
    const filters = [
      ...(/^u?int/.test(name) && random.chance(0.3) ? [{ id: note("delta"), dtype }] : []),
      ...(random.chance(0.2) ? [{ id: note("shuffle"), elementsize: itemBytes }] : []),
    ];
    const compressor = bytesCodec(
      random,
      ["zlib", "gzip", "zstd", "blosc", "lz4"],
      note,
      itemBytes,
    );
    const separator = random.pick([{}, { dimension_separator: "/" }]);
    const array = JSON.stringify({
      zarr_format: 2,
      shape,
      chunks: shard ?? chunk,
      dtype,
      compressor: compressor && { id: compressor.name, ...compressor.configuration },
      fill_value: typeof fill === "number" && /^[fc]/.test(name)
        ? 0
        : name === "r24"
        ? "AQID"
        : fill,
      order,
      filters: filters.length > 0 ? filters : null,
      ...separator,
    });
    return { ...common, metadata: { format, array, attributes: JSON.stringify(attributes) } };
  }
  const codecs = codecsOfVersion3(random, note, { name, endian, rank, itemBytes });
  const sharded = shard === undefined ? codecs : [{
    name: note("sharding_indexed"),
    configuration: {
      chunk_shape: chunk,
      codecs,
      index_codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        ...(random.chance(0.7) ? [{ name: note("crc32c") }] : []),
      ],
      index_location: random.chance(0.3) ? note("start") : "end",
    },
  }];
  const zero = name === "bool"
    ? false
    : name === "r24"
    ? [0, 0, 0]
    : name.startsWith("complex")
    ? [0, 0]
    : 0;
  const array = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shard ?? chunk } },
    chunk_key_encoding: random.pick<unknown>([
      { name: "default" },
      { name: "default", configuration: { separator: "." } },
      { name: "v2", configuration: { separator: "/" } },
    ]),
    fill_value: fill === 0 ? zero : fill,
    codecs: sharded,
    attributes,
    dimension_names: attributes._ARRAY_DIMENSIONS,
  });
  return { ...common, metadata: { format, array } };
}

function codecsOfVersion3(
  random: SeededRandom,
  note: (kind: string) => string,
  array: { name: string; endian: string; rank: number; itemBytes: number },
): Codec[] {
  const order = shuffled(random, Array.from({ length: array.rank }, (_, axis) => axis));
  const last = random.chance(0.3) ? [{ name: note("crc32c") }] : [];
  const compressor = bytesCodec(random, ["gzip", "zstd", "blosc"], note, array.itemBytes);
  return [
    ...(random.chance(0.3) ? [{ name: note("transpose"), configuration: { order } }] : []),
    array.itemBytes === 1 || array.name === "r24"
      ? { name: "bytes" }
      : { name: "bytes", configuration: { endian: array.endian } },
    ...(compressor === null ? [] : [compressor]),
    ...last,
  ];
}

function bytesCodec(
  random: SeededRandom,
  names: readonly string[],
  note: (kind: string) => string,
  itemBytes: number,
): Codec | null {
  if (random.chance(0.3)) return null;
  const name = note(random.pick(names));
  const level = random.below(7);
  if (name === "zstd") return { name, configuration: { level, checksum: random.chance(0.5) } };
  if (name === "lz4") return { name, configuration: { acceleration: 1 } };
  if (name !== "blosc") return { name, configuration: { level } };
  const cname = random.pick(["lz4", "zstd", "zlib", "blosclz"]);
  const isOld = names.includes("lz4");
  const shuffle = random.pick<unknown>(isOld ? [-1, 0, 1, 2] : ["noshuffle", "shuffle"]);
  const size = isOld ? {} : { typesize: itemBytes };
  return { name, configuration: { cname, clevel: level, shuffle, blocksize: 0, ...size } };
}

function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

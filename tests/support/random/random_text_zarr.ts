/** Random arrays of Zarr whose items have any length: metadata as others write it, and items. */

import type { ZarrMetadata } from "../../../streams/formats/zarr/metadata/array_spec.ts";
import type { Draws, SeededRandom } from "./seeded_random.ts";

/** An array to be written. */
export interface RandomTextZarr {
  readonly metadata: ZarrMetadata;
  readonly kind: "string" | "bytes";
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly shard: readonly number[] | undefined;
  readonly fill: Uint8Array;
  /** In C order. */
  readonly items: readonly Uint8Array[];
  /** The names of the drawn properties. */
  readonly kinds: readonly string[];
}

/** All that can be drawn. */
export const textKinds: readonly string[] = [
  ...["string", "bytes", "variable_length_bytes", "vlen-utf8", "vlen-bytes", "F", "transpose"],
  ...["fill null", "fill 0", "fill empty", "fill long", "sharding_indexed", "nested", "start"],
  ...["packed shard", "gzip", "zlib", "zstd", "blosc", "lz4", "crc32c", "shuffle"],
];

const texts = ["", "", "a", "née", "日本語", "🏔️", "\ufeffx", "a\u0000b", "long text ".repeat(20)];

interface Codec {
  readonly name: string;
  readonly configuration?: Record<string, unknown>;
}

/** Draws an array of at most some hundred items. */
export function randomTextZarr(random: SeededRandom, draws: Draws): RandomTextZarr {
  const kinds: string[] = [];
  const note = <T extends string>(kind: T): T => {
    kinds.push(kind);
    draws.add(kind);
    return kind;
  };
  const kind = note(random.pick(["string", "bytes"] as const));
  const rank = random.below(4);
  const shape = Array.from({ length: rank }, () => 1 + random.below(7));
  const chunk = shape.map((length) => 1 + random.below(length + 1));
  const isOld = random.chance(0.4);
  const shard = !isOld && random.chance(0.5)
    ? chunk.map((length) => length * (1 + random.below(3)))
    : undefined;
  const long = randomItem(random, kind);
  const fillKind = random.pick(["fill null", "fill 0", "fill empty", "fill long"] as const);
  // Null and 0 are fill values of version 2.
  const drawn = isOld || fillKind === "fill long" ? fillKind : "fill empty";
  const fill = note(drawn) === "fill long" ? long : new Uint8Array();
  const numItems = shape.reduce((all, length) => all * length, 1);
  const first = random.chance(0.5) ? random.below(numItems + 1) : numItems;
  const items = Array.from({ length: numItems }, (_, at) => {
    return at < first ? randomItem(random, kind) : fill;
  });
  const common = { kind, shape, chunk, shard, fill, items };
  const written = kind === "string"
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(fill)
    : fill.toBase64();
  if (isOld) {
    const compressor = compressorOf(random, ["zlib", "gzip", "zstd", "blosc", "lz4"], note);
    const vlen = note(kind === "string" ? "vlen-utf8" : "vlen-bytes");
    const shuffle = random.chance(0.2) ? [{ id: note("shuffle"), elementsize: 1 }] : [];
    const array = JSON.stringify({
      zarr_format: 2,
      shape,
      chunks: chunk,
      dtype: "|O",
      compressor: compressor && { id: compressor.name, ...compressor.configuration },
      fill_value: drawn === "fill null" ? null : drawn === "fill 0" ? 0 : written,
      order: random.chance(0.3) ? note("F") : "C",
      filters: [{ id: vlen }, ...shuffle],
    });
    return { ...common, metadata: { format: 2, array }, kinds };
  }
  const name = kind === "string"
    ? "string"
    : note(random.pick(["bytes", "variable_length_bytes"] as const));
  const isNested = shard !== undefined && random.chance(0.3);
  const plain = codecsOf(random, note, kind, rank);
  const inner = isNested ? [sharding(random, note, chunk, plain)] : plain;
  if (isNested) note("nested");
  const codecs = shard === undefined ? plain : [sharding(random, note, chunk, inner)];
  // Shards after other codecs are chunks that are read whole.
  const isPacked = shard !== undefined && random.chance(0.3);
  if (isPacked) codecs.push({ name: "gzip", configuration: { level: 1 } }, { name: "crc32c" });
  if (isPacked) note("packed shard");
  const array = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shard ?? chunk } },
    chunk_key_encoding: { name: "default" },
    fill_value: kind === "bytes" && random.chance(0.5) ? [...fill] : written,
    codecs,
    attributes: { title: "drawn" },
  });
  return {
    ...common,
    ...(isPacked ? { chunk: shard, shard: undefined } : {}),
    metadata: { format: 3, array },
    kinds,
  };
}

function randomItem(random: SeededRandom, kind: "string" | "bytes"): Uint8Array {
  if (kind === "string") return new TextEncoder().encode(random.pick(texts));
  return Uint8Array.from({ length: random.below(9) }, () => random.below(256));
}

/** Chunks of a shape in shards, with codecs of their own. */
function sharding(
  random: SeededRandom,
  note: (kind: string) => string,
  chunk: readonly number[],
  codecs: readonly Codec[],
): Codec {
  return {
    name: note("sharding_indexed"),
    configuration: {
      chunk_shape: chunk,
      codecs,
      index_codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        ...(random.chance(0.7) ? [{ name: "crc32c" }] : []),
      ],
      index_location: random.chance(0.3) ? note("start") : "end",
    },
  };
}

function codecsOf(
  random: SeededRandom,
  note: (kind: string) => string,
  kind: string,
  rank: number,
): Codec[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  const order = random.chance(0.5) ? axes.toReversed() : [...axes.slice(1), ...axes.slice(0, 1)];
  const compressor = compressorOf(random, ["gzip", "zstd", "blosc"], note);
  return [
    ...(random.chance(0.3) ? [{ name: note("transpose"), configuration: { order } }] : []),
    { name: note(kind === "string" ? "vlen-utf8" : "vlen-bytes"), configuration: {} },
    ...(compressor === null ? [] : [compressor]),
    ...(random.chance(0.3) ? [{ name: note("crc32c") }] : []),
  ];
}

function compressorOf(
  random: SeededRandom,
  names: readonly string[],
  note: (kind: string) => string,
): Codec | null {
  if (random.chance(0.3)) return null;
  const name = note(random.pick(names));
  const level = random.below(7);
  if (name === "zstd") return { name, configuration: { level, checksum: random.chance(0.5) } };
  if (name === "lz4") return { name, configuration: { acceleration: 1 } };
  if (name !== "blosc") return { name, configuration: { level } };
  const cname = random.pick(["lz4", "zstd", "zlib", "blosclz"]);
  const old = names.includes("lz4");
  const shuffle = random.pick<unknown>(old ? [-1, 0, 1, 2] : ["noshuffle", "shuffle"]);
  const size = old ? {} : { typesize: 1 };
  return { name, configuration: { cname, clevel: level, shuffle, blocksize: 0, ...size } };
}

/** Random Arrow types. */

import * as arrow from "apache-arrow";
import type { SeededRandom } from "../random/seeded_random.ts";

/** What a judge can read: kinds of types by name. */
export type TypeKind = keyof typeof flat | keyof typeof nested;

const bitsOfInts = [8, 16, 32, 64] as const;
const bitsOfDecimals = [32, 64, 128, 256] as const;
const units = [0, 1, 2, 3] as const;

/** Types without children. */
const flat = {
  null: () => new arrow.Null(),
  bool: () => new arrow.Bool(),
  int: (random: SeededRandom) => new arrow.Int(random.chance(0.5), random.pick(bitsOfInts)),
  float16: () => new arrow.Float(0),
  float: (random: SeededRandom) => new arrow.Float(random.pick([1, 2])),
  decimal: (random: SeededRandom) => decimalOf(random.pick(bitsOfDecimals.slice(0, 3))),
  decimal256: () => decimalOf(256),
  day: () => new arrow.DateDay(),
  date: () => new arrow.DateMillisecond(),
  time: (random: SeededRandom) => {
    const unit = random.pick(units);
    return new arrow.Time(unit, unit < 2 ? 32 : 64);
  },
  timestamp: (random: SeededRandom) =>
    new arrow.Timestamp(random.pick(units), random.pick([null, "UTC", "Europe/Berlin"])),
  duration: (random: SeededRandom) => new arrow.Duration(random.pick(units)),
  interval: (random: SeededRandom) => new arrow.Interval(random.pick([0, 1, 2])),
  utf8: () => new arrow.Utf8(),
  largeUtf8: () => new arrow.LargeUtf8(),
  utf8View: () => new arrow.Utf8View(),
  binary: () => new arrow.Binary(),
  largeBinary: () => new arrow.LargeBinary(),
  binaryView: () => new arrow.BinaryView(),
  fixedSizeBinary: (random: SeededRandom) => new arrow.FixedSizeBinary(1 + random.below(20)),
} as const;

type MakeChild = () => arrow.DataType;

/** Types with children, or with a dictionary. */
const nested = {
  list: (_: SeededRandom, child: MakeChild) =>
    new arrow.List(new arrow.Field("item", child(), true)),
  largeList: (_: SeededRandom, child: MakeChild) =>
    new arrow.LargeList(new arrow.Field("item", child(), true)),
  fixedSizeList: (random: SeededRandom, child: MakeChild) =>
    new arrow.FixedSizeList(1 + random.below(3), new arrow.Field("item", child(), true)),
  struct: (random: SeededRandom, child: MakeChild) =>
    new arrow.Struct(
      Array.from({ length: 1 + random.below(3) }, (_, i) => nullable(`f${i}`, child())),
    ),
  map: (_: SeededRandom, child: MakeChild) => {
    const entries = new arrow.Struct<{ key: arrow.Int32; value: arrow.DataType }>([
      new arrow.Field("key", new arrow.Int32(), false),
      nullable("value", child()),
    ]);
    return new arrow.Map_(new arrow.Field("entries", entries, false));
  },
  sparseUnion: (random: SeededRandom, child: MakeChild) =>
    new arrow.SparseUnion(...unionParts(random, child)),
  denseUnion: (random: SeededRandom, child: MakeChild) =>
    new arrow.DenseUnion(...unionParts(random, child)),
  dictionary: (random: SeededRandom, child: MakeChild) =>
    new arrow.Dictionary(
      child(),
      new arrow.Int(random.chance(0.5), random.pick(bitsOfInts)) as never,
    ),
} as const;

/** All kinds of types. */
export const typeKinds = [...Object.keys(flat), ...Object.keys(nested)] as readonly TypeKind[];

/** A random type of one of the kinds; nested types go down to the given depth. */
export function randomType(
  random: SeededRandom,
  kinds: readonly TypeKind[],
  depth: number,
): arrow.DataType {
  const kind = random.pick(kinds.filter((kind) => depth > 0 || kind in flat));
  return typeOfKind(random, kind, kinds, depth);
}

/** A random type of a kind, its children of the given kinds. */
export function typeOfKind(
  random: SeededRandom,
  kind: TypeKind,
  kinds: readonly TypeKind[],
  depth: number,
): arrow.DataType {
  if (kind in flat) return flat[kind as keyof typeof flat](random);
  const make = nested[kind as keyof typeof nested];
  // A schema cannot say that the values of a dictionary are encoded by another one.
  const inner = kind === "dictionary"
    ? kinds.filter((kind) => kind !== "null" && kind !== "dictionary")
    : kinds;
  return make(random, () => randomType(random, inner, depth - 1));
}

function decimalOf(bitWidth: number): arrow.Decimal {
  const precision = Math.floor(bitWidth * Math.log10(2)) - 1;
  return new arrow.Decimal(2, precision, bitWidth);
}

function nullable(name: string, type: arrow.DataType): arrow.Field {
  return new arrow.Field(name, type, true);
}

/** Ids need not count from 0. */
function unionParts(random: SeededRandom, child: MakeChild): [number[], arrow.Field[]] {
  const length = 1 + random.below(3);
  const first = random.pick([0, 0, 5]);
  return [
    Array.from({ length }, (_, i) => first + i),
    Array.from({ length }, (_, i) => nullable(`u${i}`, child())),
  ];
}

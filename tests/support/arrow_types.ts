/** Random Arrow types. */

import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DenseUnion,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  Int32,
  Interval,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  Null,
  SparseUnion,
  Struct,
  Time,
  Timestamp,
  Utf8,
  Utf8View,
} from "apache-arrow";
import type { SeededRandom } from "./seeded_random.ts";

/** What a judge can read: kinds of types by name. */
export type TypeKind = keyof typeof flat | keyof typeof nested;

const bitsOfInts = [8, 16, 32, 64] as const;
const bitsOfDecimals = [32, 64, 128, 256] as const;
const units = [0, 1, 2, 3] as const;

/** Types without children. */
const flat = {
  null: () => new Null(),
  bool: () => new Bool(),
  int: (random: SeededRandom) => new Int(random.chance(0.5), random.pick(bitsOfInts)),
  float16: () => new Float(0),
  float: (random: SeededRandom) => new Float(random.pick([1, 2])),
  decimal: (random: SeededRandom) => decimalOf(random.pick(bitsOfDecimals.slice(0, 3))),
  decimal256: () => decimalOf(256),
  day: () => new DateDay(),
  date: () => new DateMillisecond(),
  time: (random: SeededRandom) => {
    const unit = random.pick(units);
    return new Time(unit, unit < 2 ? 32 : 64);
  },
  timestamp: (random: SeededRandom) =>
    new Timestamp(random.pick(units), random.pick([null, "UTC", "Europe/Berlin"])),
  duration: (random: SeededRandom) => new Duration(random.pick(units)),
  interval: (random: SeededRandom) => new Interval(random.pick([0, 1, 2])),
  utf8: () => new Utf8(),
  largeUtf8: () => new LargeUtf8(),
  utf8View: () => new Utf8View(),
  binary: () => new Binary(),
  largeBinary: () => new LargeBinary(),
  binaryView: () => new BinaryView(),
  fixedSizeBinary: (random: SeededRandom) => new FixedSizeBinary(1 + random.below(20)),
} as const;

type MakeChild = () => DataType;

/** Types with children, or with a dictionary. */
const nested = {
  list: (_: SeededRandom, child: MakeChild) => new List(new Field("item", child(), true)),
  largeList: (_: SeededRandom, child: MakeChild) => new LargeList(new Field("item", child(), true)),
  fixedSizeList: (random: SeededRandom, child: MakeChild) =>
    new FixedSizeList(1 + random.below(3), new Field("item", child(), true)),
  struct: (random: SeededRandom, child: MakeChild) =>
    new Struct(Array.from({ length: 1 + random.below(3) }, (_, i) => nullable(`f${i}`, child()))),
  map: (_: SeededRandom, child: MakeChild) => {
    const entries = new Struct<{ key: Int32; value: DataType }>([
      new Field("key", new Int32(), false),
      nullable("value", child()),
    ]);
    return new Map_(new Field("entries", entries, false));
  },
  sparseUnion: (random: SeededRandom, child: MakeChild) =>
    new SparseUnion(...unionParts(random, child)),
  denseUnion: (random: SeededRandom, child: MakeChild) =>
    new DenseUnion(...unionParts(random, child)),
  dictionary: (random: SeededRandom, child: MakeChild) =>
    new Dictionary(child(), new Int(random.chance(0.5), random.pick(bitsOfInts)) as never),
} as const;

/** All kinds of types. */
export const typeKinds = [...Object.keys(flat), ...Object.keys(nested)] as readonly TypeKind[];

/** A random type of one of the kinds; nested types go down to the given depth. */
export function randomType(
  random: SeededRandom,
  kinds: readonly TypeKind[],
  depth: number,
): DataType {
  const kind = random.pick(kinds.filter((kind) => depth > 0 || kind in flat));
  return typeOfKind(random, kind, kinds, depth);
}

/** A random type of a kind, its children of the given kinds. */
export function typeOfKind(
  random: SeededRandom,
  kind: TypeKind,
  kinds: readonly TypeKind[],
  depth: number,
): DataType {
  if (kind in flat) return flat[kind as keyof typeof flat](random);
  const make = nested[kind as keyof typeof nested];
  // A schema cannot say that the values of a dictionary are encoded by another one.
  const inner = kind === "dictionary"
    ? kinds.filter((kind) => kind !== "null" && kind !== "dictionary")
    : kinds;
  return make(random, () => randomType(random, inner, depth - 1));
}

function decimalOf(bitWidth: number): Decimal {
  const precision = Math.floor(bitWidth * Math.log10(2)) - 1;
  return new Decimal(2, precision, bitWidth);
}

function nullable(name: string, type: DataType): Field {
  return new Field(name, type, true);
}

/** Ids need not count from 0. */
function unionParts(random: SeededRandom, child: MakeChild): [number[], Field[]] {
  const length = 1 + random.below(3);
  const first = random.pick([0, 0, 5]);
  return [
    Array.from({ length }, (_, i) => first + i),
    Array.from({ length }, (_, i) => nullable(`u${i}`, child())),
  ];
}

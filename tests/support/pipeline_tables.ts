/**
 * Random tables for the tests of pipelines: record batches, and the same rows as plain values.
 *
 * @module
 */

import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  LargeUtf8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint32,
  Utf8,
  Utf8View,
  vectorFromArray,
} from "apache-arrow";
import type { SeededRandom } from "./seeded_random.ts";

/** What the operators of a random pipeline may do with a column. */
export type Kind = "text" | "int" | "bool" | "other";

/** A row as plain values. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of a table, in order. */
export type Columns = ReadonlyMap<string, Kind>;

/** A table twice: for the library, and for the model that judges it. */
export interface RandomTable {
  readonly columns: Columns;
  readonly rows: readonly Row[];
  readonly schema: Schema;
  /** Some without rows, some cut out of larger ones. */
  readonly batches: readonly RecordBatch[];
}

interface ColumnSpec {
  readonly type: DataType;
  readonly kind: Kind;
  value(random: SeededRandom): unknown;
}

const WORDS = [
  "",
  "a",
  "b",
  "a b",
  "é",
  "€uro x",
  "𝄞",
  "straße",
  "naïve 🙂 ß",
  "longer than 12 bytes",
];
const word = (random: SeededRandom) => random.pick(WORDS);

/** A column of every type that pipelines meet often. Types are made anew: dictionaries have ids. */
function columnSpecs(): Record<string, ColumnSpec> {
  return {
    id: { type: new Int32(), kind: "int", value: (random) => random.below(8) },
    tiny: { type: new Int8(), kind: "int", value: (random) => random.below(200) - 100 },
    big: { type: new Int64(), kind: "other", value: (random) => BigInt(random.below(9)) << 52n },
    count: { type: new Uint32(), kind: "other", value: (random) => 2 ** 31 + random.below(9) },
    share: { type: new Float64(), kind: "other", value: (random) => random.below(99) / 8 },
    flag: { type: new Bool(), kind: "bool", value: (random) => random.chance(0.5) },
    name: { type: new Utf8(), kind: "text", value: word },
    note: { type: new LargeUtf8(), kind: "text", value: word },
    view: { type: new Utf8View(), kind: "text", value: word },
    color: { type: new Dictionary(new Utf8(), new Int16()), kind: "text", value: word },
    day: { type: new DateDay(), kind: "other", value: (random) => random.below(9) * 86_400_000 },
  };
}

/** A table of some rows. `prefix` goes before the names of its columns. */
export function randomTable(random: SeededRandom, prefix = ""): RandomTable {
  const specs = columnSpecs();
  const names = Object.keys(specs).map((name) => prefix + name);
  const kinds = Object.values(specs).map(({ kind }) => kind);
  const schema = new Schema(
    Object.values(specs).map(({ type }, index) => new Field(names[index]!, type, true)),
  );
  const rows: Row[] = [];
  const batches: RecordBatch[] = [];
  for (let left = random.below(6); left >= 0; left--) {
    const numRows = random.pick([0, 1, 2, 7, 8, 9, 40]);
    const before = random.chance(0.5) ? random.below(20) : 0;
    const after = random.chance(0.5) ? random.below(9) : 0;
    const length = before + numRows + after;
    const nullShare = random.pick([0, 0, 0.2, 1]);
    const values = Object.values(specs).map((spec) =>
      Array.from({ length }, () => random.chance(nullShare) ? null : spec.value(random))
    );
    const children = Object.values(specs).map((spec, index) =>
      dataOf(spec.type, values[index]!, () => spec.value(random))
    );
    const whole = new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
    );
    batches.push(length === numRows ? whole : whole.slice(before, before + numRows));
    for (let row = before; row < before + numRows; row++) {
      rows.push(Object.fromEntries(names.map((name, index) => [name, values[index]![row]])));
    }
  }
  return {
    columns: new Map(names.map((name, index) => [name, kinds[index]!])),
    rows,
    schema,
    batches,
  };
}

/** Arrow data of values, with something below every null. */
function dataOf(type: DataType, values: readonly unknown[], junk: () => unknown): Data {
  if (values.length === 0) return makeData({ type, length: 0 } as never);
  const data = vectorFromArray(values.map((value) => value ?? junk()), type).data[0]!;
  const nullCount = values.filter((value) => value === null).length;
  const validity = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, row) => validity[row >> 3]! |= value === null ? 0 : 1 << (row & 7));
  const buffers = [data.valueOffsets, data.values, validity, data.typeIds];
  const { children, variadicBuffers } = data;
  return data.clone(type, 0, values.length, nullCount, buffers as never, children, variadicBuffers);
}

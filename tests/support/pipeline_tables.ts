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
  Field,
  Float64,
  Int32,
  Int64,
  Int8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint32,
  vectorFromArray,
} from "apache-arrow";
import { sameType } from "../../streams/arrow.ts";
import { binaryLayouts, type Layouts, listLayouts, textLayouts } from "./layouts.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** What the operators of a random pipeline may do with a column. */
export type Kind = "text" | "int" | "bool" | "list" | "other";

/** A row as plain values. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of a table, in order. */
export type Columns = ReadonlyMap<string, Kind>;

/** A table twice: for the library, and for the model that judges it. */
export interface RandomTable {
  readonly columns: Columns;
  readonly rows: readonly Row[];
  /** That of the first batch; others may have other layouts of the same values. */
  readonly schema: Schema;
  /** Some without rows, some cut out of larger ones. */
  readonly batches: readonly RecordBatch[];
}

interface ColumnSpec {
  /** The layouts that it may have, first that of tables whose batches are all alike. */
  readonly layouts: Layouts;
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

const bytes = (random: SeededRandom) => [...new TextEncoder().encode(word(random))];
const from = (layouts: Layouts, index: number): Layouts => [layouts[index]!, ...layouts];

/** A column of every type that pipelines meet often. */
const columnSpecs: Readonly<Record<string, ColumnSpec>> = {
  id: { layouts: [() => new Int32()], kind: "int", value: (random) => random.below(8) },
  tiny: { layouts: [() => new Int8()], kind: "int", value: (random) => random.below(200) - 100 },
  big: {
    layouts: [() => new Int64()],
    kind: "other",
    value: (random) => BigInt(random.below(9)) << 52n,
  },
  count: {
    layouts: [() => new Uint32()],
    kind: "other",
    value: (random) => 2 ** 31 + random.below(9),
  },
  share: { layouts: [() => new Float64()], kind: "other", value: (random) => random.below(99) / 8 },
  flag: { layouts: [() => new Bool()], kind: "bool", value: (random) => random.chance(0.5) },
  name: { layouts: textLayouts, kind: "text", value: word },
  note: { layouts: from(textLayouts, 1), kind: "text", value: word },
  view: { layouts: from(textLayouts, 2), kind: "text", value: word },
  color: { layouts: from(textLayouts, 3), kind: "text", value: word },
  raw: { layouts: binaryLayouts, kind: "other", value: bytes },
  tags: {
    layouts: listLayouts,
    kind: "list",
    value: (random) =>
      Array.from({ length: random.below(4) }, () => random.chance(0.2) ? null : word(random)),
  },
  day: {
    layouts: [() => new DateDay()],
    kind: "other",
    value: (random) => random.below(9) * 86_400_000,
  },
};

/**
 * A table of some rows. In half of the tables each batch has layouts of its own. `prefix` goes
 * before the names of the columns.
 */
export function randomTable(random: SeededRandom, prefix = ""): RandomTable {
  const names = Object.keys(columnSpecs).map((name) => prefix + name);
  const specs = Object.values(columnSpecs);
  const isMixed = random.chance(0.5);
  const schemaOf = () =>
    new Schema(specs.map(({ layouts }, index) => {
      const layout = isMixed ? random.pick(layouts) : layouts[0];
      return new Field(names[index]!, layout(), true);
    }));
  const first = schemaOf();
  const rows: Row[] = [];
  const batches: RecordBatch[] = [];
  for (let left = random.below(6); left >= 0; left--) {
    const schema = isMixed && batches.length > 0 ? schemaOf() : first;
    const numRows = random.pick([0, 1, 2, 7, 8, 9, 40]);
    const before = random.chance(0.5) ? random.below(20) : 0;
    const after = random.chance(0.5) ? random.below(9) : 0;
    const length = before + numRows + after;
    const nullShare = random.pick([0, 0, 0.2, 1]);
    const values = specs.map((spec) =>
      Array.from({ length }, () => random.chance(nullShare) ? null : spec.value(random))
    );
    const children = specs.map((spec, index) =>
      dataOf(schema.fields[index]!.type, values[index]!, () => spec.value(random))
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
  const columns = new Map(names.map((name, index) => [name, specs[index]!.kind]));
  return { columns, rows, schema: first, batches };
}

/** Arrow data of values, with something below every null. */
function dataOf(type: DataType, values: readonly unknown[], junk: () => unknown): Data {
  if (values.length === 0) return makeData({ type, length: 0 } as never);
  // Bytes are lists of numbers in the model; Arrow wants them as what they are.
  const isBytes = (binaryLayouts as readonly (() => DataType)[]).some((layout) =>
    sameType(layout(), type)
  );
  const filled = values.map((value) => value ?? junk())
    .map((value) => isBytes ? Uint8Array.from(value as number[]) : value);
  const data = vectorFromArray(filled, type).data[0]!;
  const nullCount = values.filter((value) => value === null).length;
  const validity = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, row) => validity[row >> 3]! |= value === null ? 0 : 1 << (row & 7));
  const buffers = [data.valueOffsets, data.values, validity, data.typeIds];
  const { children, variadicBuffers } = data;
  return data.clone(type, 0, values.length, nullCount, buffers as never, children, variadicBuffers);
}

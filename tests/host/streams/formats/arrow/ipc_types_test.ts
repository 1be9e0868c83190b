/** How other readers give the values of Arrow types. */

import { assertEquals } from "@std/assert";
import { DataType, Field, type RecordBatch } from "apache-arrow";
import { Buffer } from "node:buffer";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import {
  randomType,
  type TypeKind,
  typeKinds,
  typeOfKind,
} from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder, readAll, writeAll } from "../../../../support/values/streams_samples.ts";

/** The columns of an Arrow file or stream as flechette reads them. */
async function flechetteColumns(bytes: Uint8Array): Promise<unknown[][]> {
  const { tableFromIPC } = await loadPeer("flechette");
  const table = tableFromIPC(bytes, { useBigInt: true, useDecimalInt: true, useProxy: false });
  return table.names.map((_: string, i: number) => [...table.getChildAt(i)]);
}

/** A plain value as flechette gives it. */
function asFlechette(type: DataType, value: unknown): unknown {
  if (value === null || DataType.isNull(type)) return null;
  if (DataType.isDictionary(type)) return asFlechette(type.dictionary, value);
  if (DataType.isDecimal(type) && type.bitWidth === 32) return Number(value);
  // Dates and timestamps are milliseconds in a number.
  if (DataType.isDate(type)) return Number(value) * (type.unit === 0 ? 86_400_000 : 1);
  if (DataType.isTimestamp(type)) {
    return rounded(Number(value) * [1000, 1, 1e-3, 1e-6][type.unit]!);
  }
  if (DataType.isInterval(type) && type.unit === 2) return (value as unknown[]).map(Number);
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) return value;
  const [child] = children as [Field];
  if (DataType.isUnion(type)) {
    const [name, inner] = Object.entries(value as object)[0]!;
    return asFlechette(children.find((field) => field.name === name)!.type, inner);
  }
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, asFlechette(type, struct[name])]),
    );
  }
  if (DataType.isMap(type)) {
    const [, { type: inner }] = child.type.children as [Field, Field];
    return (value as [unknown, unknown][]).map(([key, item]) => [key, asFlechette(inner, item)]);
  }
  return (value as unknown[]).map((item) => asFlechette(child.type, item));
}

/**
 * What flechette gave for a written value, with arrays for typed arrays and timestamps rounded. The
 * written value tells from which child of a union it comes, which flechette does not.
 */
function fromFlechette(type: DataType, value: unknown, written: unknown): unknown {
  if (value === null || value === undefined || written === null) return value ?? null;
  if (DataType.isDictionary(type)) return fromFlechette(type.dictionary, value, written);
  if (DataType.isTimestamp(type)) return rounded(value as number);
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) {
    return ArrayBuffer.isView(value) ? [...value as unknown as Iterable<unknown>] : value;
  }
  const [child] = children as [Field];
  if (DataType.isUnion(type)) {
    const [name, inner] = Object.entries(written as object)[0]!;
    return fromFlechette(children.find((field) => field.name === name)!.type, value, inner);
  }
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    const of = written as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, fromFlechette(type, struct[name], of[name])]),
    );
  }
  const items = [...value as Iterable<unknown>];
  const like = written as unknown[];
  if (DataType.isMap(type)) {
    const [, { type: inner }] = child.type.children as [Field, Field];
    return (items as [unknown, unknown][]).map(([key, item], i) => [
      key,
      fromFlechette(inner, item, (like[i] as unknown[])[1]),
    ]);
  }
  return items.map((item, i) => fromFlechette(child.type, item, like[i]));
}

/** A plain value as it is in what Polars writes: units that it has not, and maps, become others. */
function asPolars(type: DataType, value: unknown): unknown {
  if (value === null || DataType.isNull(type)) return null;
  if (DataType.isDictionary(type)) return asPolars(type.dictionary, value);
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) {
    return type.unit === 0 ? (value as bigint) * 1000n : value;
  }
  if (DataType.isTime(type)) {
    return BigInt(value as number | bigint) * 10n ** BigInt(9 - 3 * type.unit);
  }
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) return value;
  const [child] = children as [Field];
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, asPolars(type, struct[name])]),
    );
  }
  if (DataType.isMap(type)) {
    return (value as [unknown, unknown][])
      .map(([key, value]) => asPolars(child.type, { key, value }));
  }
  return (value as unknown[]).map((item) => asPolars(child.type, item));
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toPrecision(14));
}

const formats = ["file", "stream"] as const;
const compressions = ["none", "zstd", "lz4"] as const;

/** Rows of several columns, cut into batches. */
interface Sample {
  readonly types: readonly DataType[];
  /** The values of each column. */
  readonly values: readonly (readonly unknown[])[];
  readonly batches: readonly RecordBatch[];
}

/** A sample whose batches are slices of one batch, or where dictionaries may change made apart. */
function randomSample(
  random: SeededRandom,
  types: readonly DataType[],
  { maxRows = 60, dictionariesChange = false } = {},
): Sample {
  const numRows = random.chance(0.1) ? 0 : random.below(maxRows);
  const values = types.map((type) =>
    Array.from({ length: numRows }, () => randomValue(random, type))
  );
  const fields = types.map((type, i) => new Field(`c${i}`, type, true));
  const batchOf = (start: number, stop: number) =>
    batchOfColumns(
      fields,
      types.map((type, i) => columnOfValues(random, type, values[i]!.slice(start, stop))),
    );
  const cuts = Array.from({ length: random.below(3) }, () => random.below(numRows + 1));
  const bounds = [0, ...cuts.sort((a, b) => a - b), numRows];
  const whole = batchOf(0, numRows);
  const batches = bounds.slice(1).map((stop, i) => {
    const start = bounds[i]!;
    return dictionariesChange ? batchOf(start, stop) : whole.slice(start, stop);
  });
  return { types, values, batches };
}

/** The values of each column of all batches. */
function columnsOf(numColumns: number, batches: readonly RecordBatch[]): unknown[][] {
  return Array.from(
    { length: numColumns },
    (_, i) => batches.flatMap((batch) => valuesOf(batch.data.children[i]!)),
  );
}

for (const format of formats) {
  Deno.test(`writeIpc() and readIpc() keep random columns of every type, and flechette reads them (${format})`, () =>
    inFolder((folder) =>
      forSeeds(150, async (random) => {
        const path = `${folder}/out.arrow`;
        const numColumns = 1 + random.below(5);
        const types = Array.from({ length: numColumns }, () => randomType(random, typeKinds, 2));
        const dictionariesChange = format === "stream" && random.chance(0.5);
        const { values, batches } = randomSample(random, types, { dictionariesChange });
        const compression = random.pick(compressions);
        await writeAll(writeIpc(path, { format, compression }), batches);

        const read = await readAll(readIpc(path));
        assertEquals(read.map(({ numRows }) => numRows), batches.map(({ numRows }) => numRows));
        assertEquals(columnsOf(types.length, read), values);

        // flechette decompresses nothing by itself, and keeps one dictionary for a whole table.
        if (compression !== "none" || dictionariesChange) return;
        const columns = await flechetteColumns(await Deno.readFile(path));
        for (const [i, type] of types.entries()) {
          const got = columns[i]!.map((value, row) => fromFlechette(type, value, values[i]![row]));
          assertEquals(got, values[i]!.map((value) => asFlechette(type, value)), String(type));
        }
      })
    ));
}

/** Types that Polars has no series for. */
const unknownToPolars: readonly TypeKind[] = [
  "decimal256",
  "interval",
  "sparseUnion",
  "denseUnion",
];
/**
 * What Polars reads, but only at the top: inside another column it panics when it writes narrow
 * decimals and dictionaries. Maps it reads as lists without their nulls; they have a test below.
 */
const flatInPolars: readonly TypeKind[] = ["decimal", "dictionary", "map"];
const polarsKinds = typeKinds.filter((kind) => !unknownToPolars.includes(kind) && kind !== "map");
const nestedPolarsKinds = polarsKinds.filter((kind) => !flatInPolars.includes(kind));

for (const format of formats) {
  for (const compression of compressions) {
    Deno.test(`Polars reads what writeIpc() writes and readIpc() what Polars writes, for random columns of its types (${format}, ${compression})`, () =>
      inFolder((folder) =>
        forSeeds(40, async (random) => {
          const path = `${folder}/out.arrow`;
          const numColumns = 1 + random.below(5);
          const types = Array.from(
            { length: numColumns },
            () => typeOfKind(random, random.pick(polarsKinds), nestedPolarsKinds, 2),
          );
          const { values, batches } = randomSample(random, types);
          await writeAll(writeIpc(path, { format, compression }), batches);
          await Deno.writeFile(path, await throughPolars(await Deno.readFile(path), format));
          const expected = types.map((type, i) => values[i]!.map((value) => asPolars(type, value)));
          assertEquals(columnsOf(types.length, await readAll(readIpc(path))), expected);
        })
      ));
  }
}

Deno.test("Polars reads the maps that writeIpc() writes", () =>
  inFolder((folder) =>
    forSeeds(40, async (random) => {
      const path = `${folder}/out.arrow`;
      const type = typeOfKind(random, "map", nestedPolarsKinds, 2);
      const values: unknown[] = [];
      while (values.length < 20) {
        const value = randomValue(random, type);
        if (value !== null) values.push(value);
      }
      const batch = batchOfColumns([new Field("c", type)], [columnOfValues(random, type, values)]);
      await writeAll(writeIpc(path), [batch]);
      await Deno.writeFile(path, await throughPolars(await Deno.readFile(path), "file"));
      const expected = values.map((value) => asPolars(type, value));
      assertEquals(columnsOf(1, await readAll(readIpc(path))), [expected]);
    })
  ));

/** Reads Arrow data and writes it again, both with Polars, compressed in one way or another. */
async function throughPolars(bytes: Uint8Array, format: "file" | "stream"): Promise<Uint8Array> {
  const { default: polars } = await loadPeer("polars");
  const compression = polarsCompressions[bytes.length % polarsCompressions.length];
  if (format === "file") return polars.readIPC(Buffer.from(bytes)).writeIPC({ compression });
  return polars.readIPCStream(Buffer.from(bytes)).writeIPCStream({ compression });
}

const polarsCompressions = ["uncompressed", "zstd", "lz4"];

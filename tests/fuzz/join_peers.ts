// deno-lint-ignore-file no-explicit-any -- the types of the peers are not loaded here
/** The rows that DuckDB and Polars give for a join, by their numbers on both sides, in order. */

import { DataType } from "apache-arrow";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { plainType } from "../../streams/data/plain_schema.ts";
import { loadPeer } from "../support/judges/peers.ts";
import { typeOf } from "./case_types.ts";
import { exprSql, kindSql, quoted } from "./duck_exprs.ts";
import { joinSides } from "./duck_joins.ts";
import { type CaseKey, type CaseTable, type JoinStep, keyPairs, numRowsOf } from "./fuzz_case.ts";
import { promotedType } from "./join_model.ts";
import type { RowPair } from "../support/models/join_pairs.ts";

/** The question to both peers: the keys of both sides, promoted to their common types. */
interface PeerKeys {
  readonly left: readonly KeySide[];
  readonly right: readonly KeySide[];
}

/** A key of one side: its own column, or an expression of it. */
interface KeySide {
  readonly key: CaseKey;
  readonly column: {
    readonly name: string;
    readonly type: DataType;
    readonly values: readonly unknown[];
  };
  readonly type: DataType;
}

/** The pairs of rows of a join, as DuckDB gives them, sorted by the order that the join states. */
export async function pairsOfDuckDb(table: CaseTable, step: JoinStep): Promise<RowPair[]> {
  const keys = keysOf(table, step);
  const rows = await runSql(
    `WITH l AS (${sideSql("left", numRowsOf(table), keys.left)}),
      r AS (${sideSql("right", numRowsOf(step.table), keys.right)})
    SELECT ${pairSql(step.how)} FROM ${joinSides[step.how]} ${onSql(keys.left.length, step)}
    ORDER BY ALL NULLS LAST`,
  );
  return rows.map(([left, right]) => [numberOrNull(left), numberOrNull(right)]);
}

/** The first row of a side whose key was there before, as DuckDB finds it; null for none. */
export async function repeatedOfDuckDb(
  table: CaseTable,
  step: JoinStep,
  side: "left" | "right",
): Promise<number | null> {
  const keys = keysOf(table, step)[side];
  const names = keys.map((_, index) => `key${index}`);
  const known = step.nullsEqual ? "true" : names.map((name) => `${name} IS NOT NULL`).join(" AND ");
  const numRows = numRowsOf(side === "left" ? table : step.table);
  const [row] = await runSql(
    `SELECT min(_row) FROM (
      SELECT _row, row_number() OVER (PARTITION BY ${names.join(", ")} ORDER BY _row) AS place
      FROM (SELECT *, _${side} AS _row FROM (${sideSql(side, numRows, keys)})) WHERE ${known}
    ) WHERE place > 1`,
  );
  return numberOrNull(row![0]);
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function pairSql(how: JoinHow): string {
  if (how === "semi" || how === "anti") return "_left, NULL";
  return how.startsWith("right-") ? "NULL, _right" : "_left, _right";
}

function onSql(numKeys: number, { how, nullsEqual }: JoinStep): string {
  if (how === "cross") return "";
  const names = Array.from({ length: numKeys }, (_, index) => `key${index}`);
  if (!nullsEqual) return `USING (${names.join(", ")})`;
  return `ON ${names.map((name) => `l.${name} IS NOT DISTINCT FROM r.${name}`).join(" AND ")}`;
}

function keysOf(table: CaseTable, step: JoinStep): PeerKeys {
  const sides = { left: table, right: step.table } as const;
  const keys = { left: [] as KeySide[], right: [] as KeySide[] };
  if (step.how === "cross") return keys;
  for (const pair of keyPairs(step.on)) {
    const [left, right] = [columnOf(sides.left, pair[0]), columnOf(sides.right, pair[1])];
    const type = promotedType(left.type, right.type, step.promote === "lossless");
    keys.left.push({ key: pair[0], column: left, type });
    keys.right.push({ key: pair[1], column: right, type });
  }
  return keys;
}

/** The column of a key, or the only one that its expression names. */
function columnOf({ columns }: CaseTable, key: CaseKey): KeySide["column"] {
  const name = typeof key === "string" ? key : namedIn(key.expr, columns.map(({ name }) => name));
  const column = columns.find((column) => column.name === name)!;
  return { ...column, type: plainType(typeOf(column.type)) };
}

function namedIn(text: string, names: readonly string[]): string {
  const { node } = parseExpr(text);
  return names.find((name) => usesColumn(node, name))!;
}

function usesColumn(node: any, name: string): boolean {
  if (node === null || typeof node !== "object") return false;
  if (node.node === "column") return node.name === name;
  return Object.values(node).some((part) =>
    Array.isArray(part) ? part.some((item) => usesColumn(item, name)) : usesColumn(part, name)
  );
}

/** The keys of a side as `key0`, `key1`, behind the number of the row. */
function sideSql(side: "left" | "right", numRows: number, keys: readonly KeySide[]): string {
  const raw = keys.map(({ column }, index) => {
    const values = column.values.map((value) => valueSql(value, column.type));
    return `, unnest([${values.join(", ")}]::${typeSql(column.type)}[]) AS raw${index}`;
  });
  const made = keys.map(({ key, column, type }, index) => {
    const value = typeof key === "string"
      ? `raw${index}`
      : `(SELECT ${exprOver(key.expr, column.name)} FROM (SELECT raw${index} AS ${
        quoted(column.name)
      }))`;
    return `, CAST(${value} AS ${typeSql(type)}) AS key${index}`;
  });
  return `SELECT _${side}${made.join("")} FROM (
    SELECT unnest(range(${numRows})) AS _${side}${raw.join("")})`;
}

function exprOver(text: string, name: string): string {
  const { node } = parseExpr(text);
  const columns = new Map([[name, "VARCHAR"]]);
  return `${exprSql(node, columns)}::${kindSql(node, columns)}`;
}

const TIMESTAMPS = ["TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP", "TIMESTAMP_NS"];

function typeSql(type: DataType): string {
  const child = () => typeSql(type.children[0]!.type);
  if (DataType.isUtf8(type)) return "VARCHAR";
  if (DataType.isBool(type)) return "BOOLEAN";
  if (DataType.isInt(type)) {
    const name = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" }[type.bitWidth];
    return type.isSigned ? name : `U${name}`;
  }
  if (DataType.isFloat(type)) return type.precision === 2 ? "DOUBLE" : "FLOAT";
  if (DataType.isDecimal(type)) {
    return type.precision > 38 ? "VARCHAR" : `DECIMAL(${type.precision}, ${type.scale})`;
  }
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return "BLOB";
  if (DataType.isDate(type)) return type.unit === 0 ? "DATE" : "BIGINT";
  if (DataType.isTimestamp(type)) return TIMESTAMPS[type.unit]!;
  if (DataType.isTime(type) || DataType.isDuration(type)) return "BIGINT";
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) return `${child()}[]`;
  if (DataType.isStruct(type)) {
    const fields = type.children.map(({ name, type }) => `${quoted(name)} ${typeSql(type)}`);
    return `STRUCT(${fields.join(", ")})`;
  }
  throw new TypeError(`No type of DuckDB for ${type}`);
}

function valueSql(value: unknown, type: DataType): string {
  if (value === null) return "NULL";
  if (DataType.isUtf8(type)) {
    return `decode(from_hex('${new TextEncoder().encode(value as string).toHex()}'))`;
  }
  if (DataType.isFloat(type)) return `'${Object.is(value, -0) ? "-0" : value}'::${typeSql(type)}`;
  if (DataType.isDecimal(type)) return `'${decimalText(value as bigint, type.scale)}'`;
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) {
    return `from_hex('${Uint8Array.from(value as number[]).toHex()}')`;
  }
  if (DataType.isDate(type) && type.unit === 0) return `(DATE '1970-01-01' + (${value}))`;
  if (DataType.isTimestamp(type)) return timestampSql(BigInt(value as bigint), type.unit);
  if (DataType.isStruct(type)) {
    const fields = type.children.map(({ name, type }) =>
      `${quoted(name)}: ${valueSql((value as Record<string, unknown>)[name], type)}`
    );
    return `{${fields.join(", ")}}`;
  }
  if (Array.isArray(value)) {
    const [item] = type.children;
    return `[${value.map((part) => valueSql(part, item!.type)).join(", ")}]::${typeSql(type)}`;
  }
  return `(${value})`;
}

function timestampSql(value: bigint, unit: number): string {
  if (unit === 0) return `make_timestamp(${value * 1_000_000n})::TIMESTAMP_S`;
  if (unit === 1) return `make_timestamp(${value * 1000n})::TIMESTAMP_MS`;
  return `make_timestamp${unit === 2 ? "" : "_ns"}(${value})`;
}

function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

let connection: Promise<any> | undefined;

async function runSql(sql: string): Promise<unknown[][]> {
  connection ??= (async () => {
    const { DuckDBInstance } = await loadPeer("duckdb");
    return await (await DuckDBInstance.create(":memory:")).connect();
  })();
  return (await (await connection).runAndReadAll(sql)).getRowsJS();
}

/** The pairs of rows of a join, as Polars gives them; undefined where it has no such keys. */
export async function pairsOfPolars(
  table: CaseTable,
  step: JoinStep,
): Promise<RowPair[] | undefined> {
  const polars = (await loadPeer("polars")).default;
  const keys = keysOf(table, step);
  const sides = [
    frameOf(polars, "left", numRowsOf(table), keys.left),
    frameOf(polars, "right", numRowsOf(step.table), keys.right),
  ];
  if (sides.includes(undefined)) return undefined;
  const isSwapped = step.how.startsWith("right-");
  const [left, right] = isSwapped ? sides.reverse() : sides;
  const names = keys.left.map((_, index) => `key${index}`);
  const joined = left.join(right, {
    how: isSwapped ? step.how.slice("right-".length) : step.how,
    ...(step.how === "cross" ? {} : { on: names, nullsEqual: step.nullsEqual ?? false }),
    coalesce: false,
    maintainOrder: "left_right",
  });
  const column = (name: string): (number | null)[] =>
    joined.columns.includes(name)
      ? joined.getColumn(name).toArray()
      : Array(joined.height).fill(null);
  const rights = column("row of right");
  return column("row of left").map((row, index) => [row, rights[index]!]);
}

function frameOf(polars: any, side: string, numRows: number, keys: readonly KeySide[]): any {
  const series = keys.map(({ key, column, type }, index) => {
    if (typeof key !== "string") return undefined;
    const values = column.values;
    // Polars 0.54.4 takes the NaN of a frame with one row for no NaN at all.
    if (numRows === 1 && Number.isNaN(values[0])) return undefined;
    const typed = polarsType(polars, type);
    if (typed === undefined) return undefined;
    const [from, to] = typed;
    const texts = from === polars.Utf8 && to !== from;
    const given = texts ? values.map((value) => value === null ? null : String(value)) : values;
    const made = polars.Series(`key${index}`, given, from);
    return from === to ? made : made.cast(to);
  });
  if (series.includes(undefined)) return undefined;
  const rows = Array.from({ length: numRows }, (_, row) => row);
  return polars.DataFrame([polars.Series(`row of ${side}`, rows, polars.Int32), ...series]);
}

/** The type in which values are handed over, and that of the key. */
function polarsType(polars: any, type: DataType): readonly [unknown, unknown] | undefined {
  if (DataType.isUtf8(type)) return [polars.Utf8, polars.Utf8];
  if (DataType.isBool(type)) return [polars.Bool, polars.Bool];
  if (DataType.isFloat(type) && type.precision > 0) {
    const own = type.precision === 1 ? polars.Float32 : polars.Float64;
    return [own, own];
  }
  // Integers of 64 bits go over as text.
  if (DataType.isInt(type)) {
    return [polars.Utf8, polars[`${type.isSigned ? "Int" : "UInt"}${type.bitWidth}`]];
  }
  const isWhole = DataType.isTime(type) || DataType.isDuration(type) || DataType.isTimestamp(type);
  return isWhole || DataType.isDate(type) ? [polars.Utf8, polars.Int64] : undefined;
}

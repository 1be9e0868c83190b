/**
 * A case of the fuzzer: a table, the steps of a pipeline over it, and where they run. Plain data, so
 * that a case that failed can be shrunk, kept as JSON, and run again.
 */

import type { AsOfDirection } from "../../gpu/order/as_of/match_times.ts";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { decodeValue, encodeValue, type TypeJson, typeOf } from "./case_types.ts";
import type { FileFormat } from "./file_format.ts";
import type { ArrowWriter } from "./foreign_arrow.ts";
import type { ParquetWriter } from "./foreign_parquet.ts";
import type { TextWriter } from "./foreign_text.ts";
import type { VariantName } from "./variants.ts";
import type { ZarrLayout, ZarrPeer } from "./zarr_layout.ts";

/** A column of a table: its plain type and the values of all rows. */
export interface CaseColumn {
  readonly name: string;
  readonly type: TypeJson;
  /** As in `tests/support/values/arrow_values.ts`. */
  readonly values: readonly unknown[];
}

/** Rows of a table that make one batch. */
export interface CaseBatch {
  readonly rows: number;
  /** The seed of the bytes around the values in their buffers; 0 for none. */
  readonly seed: number;
  /** Whether it goes on in the buffers of the batch before it, where that has the same layouts. */
  readonly isCut?: boolean;
  /** Other layouts than the plain one, by the name of the column. */
  readonly layouts?: Readonly<Record<string, TypeJson>>;
}

/** A table, cut into batches. */
export interface CaseTable {
  readonly columns: readonly CaseColumn[];
  readonly batches: readonly CaseBatch[];
}

/** One side of a key: a column, or an expression. */
export type CaseKey = string | { readonly expr: string };

/** Keys as `join` takes them: one of the same name, pairs of names, or a list. */
export type CaseKeys =
  | string
  | Readonly<Record<string, string>>
  | readonly (string | readonly [left: CaseKey, right: CaseKey])[];

/** A join with a table; what is absent is left to its default. */
export interface JoinStep {
  readonly do: "join";
  readonly table: CaseTable;
  /** Nothing for a cross join. */
  readonly on: CaseKeys;
  readonly how: JoinHow;
  readonly nullsEqual?: boolean;
  readonly promote?: "lossless";
  readonly validate?: "1:1" | "1:m" | "m:1" | "m:m";
  readonly order?: "none";
  readonly suffix?: string;
  readonly keepKeys?: boolean;
}

/** Names of columns of both sides, in the forms of keys. */
export type CaseNames =
  | string
  | Readonly<Record<string, string>>
  | readonly (string | readonly [left: string, right: string])[];

/** A join with the rows of a table that are next in time; what is absent is left to its default. */
export interface AsOfStep {
  readonly do: "joinAsOf";
  readonly table: CaseTable;
  readonly asOf: string | Readonly<Record<string, string>>;
  readonly by?: CaseNames;
  readonly direction?: AsOfDirection;
  /** A number of 64 bits is a text, as JSON has none. */
  readonly tolerance?: number | string;
  readonly how?: "left" | "inner";
  readonly suffix?: string;
  readonly keepKeys?: boolean;
}

/** A join with the rows of a table for which a condition is true. */
export interface WhereStep {
  readonly do: "joinWhere";
  readonly table: CaseTable;
  readonly where: string;
  readonly how?: "left" | "inner";
  readonly suffix?: string;
}

/** A step that joins with a table. */
type TableStep = JoinStep | AsOfStep | WhereStep;

/** Whether a step joins with a table. */
export function hasTable(step: CaseStep): step is TableStep {
  return "table" in step;
}

/** The names of both sides as pairs. */
export function namePairs(names: CaseNames): readonly (readonly [left: string, right: string])[] {
  return keyPairs(names) as readonly (readonly [string, string])[];
}

/** The keys as pairs. */
export function keyPairs(on: CaseKeys): readonly (readonly [left: CaseKey, right: CaseKey])[] {
  if (typeof on === "string") return [[on, on]];
  if (!Array.isArray(on)) return Object.entries(on as Readonly<Record<string, string>>);
  return on.map((key) => typeof key === "string" ? [key, key] : key);
}

/** A part of a list: one position, or `[start, stop, step]`. */
export type CaseRows =
  | number
  | readonly [start: number | null, stop: number | null, step: number | null];

/** One step of a pipeline; expressions are texts. */
export type CaseStep =
  | { readonly do: "with"; readonly columns: readonly (readonly [name: string, expr: string])[] }
  | { readonly do: "filter"; readonly expr: string }
  | { readonly do: "select" | "drop"; readonly names: readonly string[] }
  | { readonly do: "rename"; readonly names: Readonly<Record<string, string>> }
  | TableStep
  | {
    readonly do: "regroup";
    readonly rows?: number;
    readonly bytes?: number;
    readonly by?: readonly string[];
    readonly sizes?: readonly number[];
    readonly one?: true;
  }
  | {
    readonly do: "slice";
    readonly start: number | null;
    readonly stop: number | null;
    readonly step: number | null;
    readonly hold?: true;
  }
  | { readonly do: "head" | "tail"; readonly count: number }
  | { readonly do: "at"; readonly row: number }
  | {
    readonly do: "take";
    readonly rows: readonly CaseRows[];
    /** How the rows are given; default: as they are. */
    readonly as?: "int32" | "text";
    readonly hold?: true;
  }
  /** Rows are regrouped by it first, since it makes one text of each batch. */
  | {
    readonly do: "joinStrings";
    readonly column: string;
    readonly separator: string;
    readonly rows: number;
  }
  /** An operator of somebody else: rows with a text that is not empty. */
  | { readonly do: "withText"; readonly column: string }
  | {
    readonly do: "file";
    readonly format: FileFormat;
    readonly batchRows?: number;
    /** In how many files, one behind the other, if there are so many batches; default: 1. */
    readonly parts?: number;
    readonly compression?: "none" | "zstd" | "lz4";
    /** Whether an Arrow file does not say how many rows its batches have. */
    readonly isForeign?: boolean;
    /** Who writes the file in place of us, or anew, before it is read. */
    readonly writer?: FileWriter;
    /** A number that stands for the options of a writer of Parquet. */
    readonly style?: number;
    /** As which other writer a text file is written. */
    readonly dialect?: TextDialect;
    /** Whether text that is not UTF-8 would be replaced. */
    readonly isMended?: boolean;
    /** The array of Zarr that a column becomes; without one the rows are chunks of an array. */
    readonly layout?: ZarrLayout;
    /** By URL: from a server of ranges, or from one that breaks off at times. */
    readonly served?: "ranges" | "shaky";
  }
  /** A file that is written on the way, of rows that go on as they came. */
  | {
    readonly do: "write";
    readonly format: FileFormat;
    readonly batchRows?: number;
    readonly compression?: "none" | "zstd" | "lz4" | "snappy" | "gzip";
    /** Who reads the file to judge it; default: we. */
    readonly judge?: "duckdb" | ZarrPeer;
  }
  /** Other chunks for an array of Zarr. */
  | {
    readonly do: "rechunk";
    /** Lengths, all of them or by names of axes. */
    readonly to: readonly number[] | Readonly<Record<string, number>>;
    readonly maxMem: number;
    readonly stages?: number;
  }
  /** Streams that know no plans. */
  | { readonly do: "transform" | "tee" };

/** Who writes files in place of us. */
export type FileWriter = ArrowWriter | ParquetWriter | TextWriter | ZarrPeer;

/**
 * Windows and Excel have a byte order mark and CRLF, Python's QUOTE_ALL and R have quotes around every
 * field, Python's json.dumps has spaces behind commas and colons, and many have no line end at the end.
 */
export type TextDialect = "windows" | "quoted" | "spaced" | "unended";

/** All kinds of steps. */
export const STEP_KINDS: readonly CaseStep["do"][] = [
  ...["with", "filter", "select", "drop", "rename", "join", "joinAsOf", "joinWhere"] as const,
  ...[
    "regroup",
    "slice",
    "head",
    "tail",
    "at",
    "take",
    "joinStrings",
    "withText",
    "file",
    "write",
    "rechunk",
    "transform",
    "tee",
  ] as const,
];

/** A case. */
export interface FuzzCase {
  /** The fault that it showed when it was kept. */
  readonly about?: string;
  readonly table: CaseTable;
  readonly steps: readonly CaseStep[];
  /** Where it runs; the first is what the others are compared with. */
  readonly variants: readonly VariantName[];
}

/** The number of rows of a table. */
export function numRowsOf({ batches }: CaseTable): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0);
}

/** The case as JSON, a line for each column, batch and step. */
export function encodeCase({ about, table, steps, variants }: FuzzCase): string {
  const lines = (items: readonly unknown[], indent: string) =>
    items.length === 0
      ? "[]"
      : `[\n${items.map((item) => indent + "  " + JSON.stringify(item)).join(",\n")}\n${indent}]`;
  const { columns, batches } = encodeTable(table);
  const encoded = steps.map((step) =>
    hasTable(step) ? { ...step, table: encodeTable(step.table) } : step
  );
  return `{
  "about": ${JSON.stringify(about ?? "")},
  "table": {
    "columns": ${lines(columns, "    ")},
    "batches": ${lines(batches, "    ")}
  },
  "steps": ${lines(encoded, "  ")},
  "variants": ${JSON.stringify(variants)}
}
`;
}

/** A case of JSON. */
export function decodeCase(json: string): FuzzCase {
  const { about, table, steps, variants } = JSON.parse(json) as FuzzCase;
  return {
    ...(about === undefined ? {} : { about }),
    table: decodeTable(table),
    steps: steps.map((step) => hasTable(step) ? { ...step, table: decodeTable(step.table) } : step),
    variants,
  };
}

function encodeTable(table: CaseTable): CaseTable {
  return { ...table, columns: table.columns.map((column) => mapped(column, encodeValue)) };
}

function decodeTable(table: CaseTable): CaseTable {
  return { ...table, columns: table.columns.map((column) => mapped(column, decodeValue)) };
}

function mapped(column: CaseColumn, map: typeof encodeValue): CaseColumn {
  const type = typeOf(column.type);
  return { ...column, values: column.values.map((value) => map(type, value)) };
}

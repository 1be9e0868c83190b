/** Counts draws: a draw that never happens tests nothing. */

import { joinHows } from "../../gpu/join_kind.ts";
import { childrenOf, type ExprNode } from "../../ops/syntax/node.ts";
import { type Expr, printExpr } from "../../ops/expr/expr.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { columnsOf } from "../../ops/expr/rewrite.ts";
import { conjunctsOf } from "../../ops/join/where/conjuncts.ts";
import { ARRAY_DETAILS, arrayDetails } from "./array_tally.ts";
import { nameOfType, TYPE_NAMES, type TypeJson, typeOf } from "./case_types.ts";
import {
  type AsOfStep,
  type CaseStep,
  type FuzzCase,
  hasTable,
  type JoinStep,
  keyPairs,
  namePairs,
  numRowsOf,
  STEP_KINDS,
  type WhereStep,
} from "./fuzz_case.ts";
import { ARROW_WRITERS } from "./foreign_arrow.ts";
import {
  PARQUET_STYLES,
  PARQUET_WRITERS,
  parquetStyle,
  type ParquetWriter,
  styleWords,
} from "./foreign_parquet.ts";
import { textWritersOf } from "./foreign_text.ts";
import { isPick } from "./pick_model.ts";
import { FORMATS } from "./random_file.ts";
import { DRAWN_OPERATIONS, kindOf } from "./random_expr.ts";
import { dialectsOf } from "./text_dialect.ts";
import { ALL_LAYOUTS, ZONES } from "./random_table.ts";
import { tablesOf } from "./shrink.ts";
import { needsAdapter, VARIANT_NAMES } from "./variants.ts";
import { ZARR_PEERS, type ZarrPeer } from "./zarr_layout.ts";

const CONSTRUCTS = ["column", "literal", "concat", "orNull", "and", "or", "not", "isNull", "isIn"]
  .concat("fillNull", "choose", "==", "!=", "<", "<=", ">", ">=");

const AS_OF_DETAILS = [
  ...["as of backward", "as of forward", "as of nearest", "as of, inner", "as of, kept keys"],
  ...["as of by one column", "as of by two columns", "as of within a number"],
  ...["as of within a duration", "as of floats"],
  ...["as of null times", "as of tied times", "as of nothing"],
];
const WHERE_DETAILS = [
  ...["where ==", "where <", "where <=", "where >", "where >="],
  ...["where text is bounded", "where a value has two bounds", "where keys have no order"],
  ...["where left", "where right", "where both", "where, left"],
];

/** The features that every run must draw, by group. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  step: STEP_KINDS,
  detail: [
    ...joinHows,
    ...["several keys", "keys by expression", "nulls equal"],
    ...["validated", "lossless", "any order", "kept keys"],
    ...AS_OF_DETAILS,
    ...WHERE_DETAILS,
    ...["negative start", "negative stop", "step", "negative step", "no stop", "held"],
    ...[
      "several slices",
      "slice of a file",
      "nothing taken",
      "taken as int32",
      "taken as text",
      "taken twice",
    ],
    ...["taken upwards", "taken range", "taken backwards", "taken from the end"],
    ...["regroup by rows", "regroup by bytes", "regroup by changes", "regroup by sizes"],
    ...["regroup to one"],
  ],
  operation: [...DRAWN_OPERATIONS, ...CONSTRUCTS],
  type: TYPE_NAMES.filter((name) => !/^(large|.*_view$|dictionary)/.test(name)),
  zone: [...ZONES, ...["toString", "format", "toDate", "tryCast"].map((name) => `${name} in one`)],
  layout: ALL_LAYOUTS.map((layout) => JSON.stringify(layout)),
  batches: ["empty", "one row", "surrounded", "bare", "cut", "mixed layouts", "none with rows"],
  values: ["all null", "some null", "none null"],
  file: [
    ...FORMATS,
    ...FORMATS.flatMap((format) => dialectsOf(format).map((dialect) => `${format} ${dialect}`)),
    ...["in parts", "none", "zstd", "lz4", "foreign", "mended"],
    ...["served ranges", "served shaky"],
    ...["arrow", "arrows"].flatMap((format) =>
      ARROW_WRITERS.filter((writer) => format === "arrow" || !writer.startsWith("polars "))
        .map((writer) => `${format} by ${writer}`)
    ),
    ...PARQUET_WRITERS.map((writer) => `parquet by ${writer}`),
    ...PARQUET_STYLES,
    ...FORMATS.flatMap((format) => textWritersOf(format).map((writer) => `${format} by ${writer}`)),
  ],
  array: ARRAY_DETAILS,
  write: [
    ...FORMATS,
    ...["read by DuckDB", "of a slice", "before a slice", "of a join", "of a file", "of a write"],
    ...["at the end", "none", "zstd", "lz4", "snappy", "gzip", "small row groups"],
  ],
  variant: VARIANT_NAMES,
  outcome: [
    ...[
      "ArithmeticError",
      "ConversionError",
      "OverflowError",
      "ExprError",
      "RangeError",
      "MissingRowError",
    ],
    "judged by DuckDB",
    ...["as-of judged by DuckDB", "condition judged by DuckDB"],
    ...["too little memory to rechunk", "rechunked in little memory"],
    ...["parts computed by workers", "batches probed by workers"],
  ],
};

/** How often each was drawn, as `group name`. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** The counts, for another process. */
  get counts(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts];
  }

  /** Adds what a case is made of. */
  addCase(given: FuzzCase): void {
    for (const name of featuresOf(given)) this.add(name);
  }

  /** Adds to one of the counts. */
  add(name: string, count = 1): void {
    if (count === 0) return;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Returns the features that were never drawn, except those whose adapter or program is missing. */
  never(hasAdapter: boolean, peers: readonly ZarrPeer[]): string[] {
    const absent = ZARR_PEERS.filter((peer) => !peers.includes(peer))
      .flatMap((peer) => [`array by ${peer}`, `array read by ${peer}`]);
    return Object.entries(EXPECTED).flatMap(([group, names]) =>
      names.map((name) => `${group} ${name}`)
    ).filter((name) => !this.#counts.has(name) && !absent.includes(name))
      .filter((name) =>
        hasAdapter ||
        !VARIANT_NAMES.some((variant) => needsAdapter(variant) && name === `variant ${variant}`)
      );
  }

  /** A line for each group, the most frequent first. */
  lines(): string[] {
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a);
    return Object.keys(EXPECTED).map((group) => {
      const own = sorted.filter(([name]) => name.startsWith(`${group} `))
        .map(([name, count]) => `${name.slice(group.length + 1)} ${count}`);
      return `${group}: ${own.join(", ")}`;
    });
  }
}

/** Returns the features of a case, each once. */
function featuresOf(given: FuzzCase): ReadonlySet<string> {
  const features = new Set<string>();
  const zoned = new Set(
    tablesOf(given).flatMap(({ columns }) => columns)
      .filter(({ type }) => zoneIn(type) !== undefined).map(({ name }) => name),
  );
  for (const variant of given.variants) features.add(`variant ${variant}`);
  for (const [index, step] of given.steps.entries()) {
    features.add(`step ${step.do}`);
    const before = given.steps[index - 1];
    if (before !== undefined && isPick(step)) {
      if (isPick(before)) features.add("detail several slices");
      if (before.do === "file") features.add("detail slice of a file");
    }
    for (const detail of detailsOf(step)) features.add(detail);
    if (step.do === "write") {
      const next = given.steps[index + 1];
      for (const detail of writeDetails(step, before, next)) features.add(`write ${detail}`);
    }
    for (const detail of arrayDetails(given, index)) features.add(`array ${detail}`);
    for (const text of exprsOf(step)) addOperations(parseExpr(text).node, features, zoned);
  }
  for (const table of tablesOf(given)) {
    const { columns, batches } = table;
    for (const { type, values } of columns) {
      features.add(`type ${nameOfType(type)}`);
      if (zoneIn(type) !== undefined) features.add(`zone ${zoneIn(type)}`);
      const numNulls = values.filter((value) => value === null).length;
      if (values.length === 0) continue;
      const share = numNulls === 0 ? "none" : numNulls === values.length ? "all" : "some";
      features.add(`values ${share} null`);
    }
    if (numRowsOf(table) === 0) features.add("batches none with rows");
    for (const { rows, seed, isCut, layouts = {} } of batches) {
      if (isCut) features.add("batches cut");
      if (rows < 2) features.add(`batches ${rows === 0 ? "empty" : "one row"}`);
      features.add(`batches ${seed === 0 ? "bare" : "surrounded"}`);
      for (const layout of Object.values(layouts)) features.add(`layout ${JSON.stringify(layout)}`);
    }
    const layouts = new Set(batches.map(({ layouts }) => JSON.stringify(layouts)));
    if (layouts.size > 1) features.add("batches mixed layouts");
  }
  return features;
}

function detailsOf(step: CaseStep): string[] {
  switch (step.do) {
    case "join":
      return [`detail ${step.how}`, ...optionsOf(step).map((option) => `detail ${option}`)];
    case "joinAsOf":
      return asOfDetails(step).map((name) => `detail ${name}`);
    case "joinWhere":
      return whereDetails(step).map((name) => `detail ${name}`);
    case "slice":
      return [
        ...((step.start ?? 0) < 0 ? ["detail negative start"] : []),
        ...((step.stop ?? 0) < 0 ? ["detail negative stop"] : []),
        ...(step.stop === null ? ["detail no stop"] : []),
        ...((step.step ?? 1) > 1 ? ["detail step"] : []),
        ...((step.step ?? 1) < 0 ? ["detail negative step"] : []),
        ...(step.hold ? ["detail held"] : []),
      ];
    case "take":
      return takeDetails(step).map((name) => `detail ${name}`);
    case "regroup":
      return [
        ...(step.rows === undefined ? [] : ["detail regroup by rows"]),
        ...(step.bytes === undefined ? [] : ["detail regroup by bytes"]),
        ...(step.by === undefined ? [] : ["detail regroup by changes"]),
        ...(step.sizes === undefined ? [] : ["detail regroup by sizes"]),
        ...(step.one ? ["detail regroup to one"] : []),
      ];
    case "file":
      return [
        `file ${step.format}`,
        ...((step.parts ?? 1) > 1 ? ["file in parts"] : []),
        ...(step.compression === undefined ? [] : [`file ${step.compression}`]),
        ...(step.isForeign ? ["file foreign"] : []),
        ...(step.writer === undefined ? [] : writerDetails(step)),
        ...(step.dialect === undefined ? [] : [`file ${step.format} ${step.dialect}`]),
        ...(step.isMended ? ["file mended"] : []),
        ...(step.served === undefined ? [] : [`file served ${step.served}`]),
      ];
    default:
      return [];
  }
}

function writerDetails({ format, writer, style = 0 }: CaseStep & { do: "file" }): string[] {
  const by = `file ${format} by ${writer}`;
  if (format !== "parquet") return [by];
  const own = writer as ParquetWriter;
  return [by, ...styleWords(own, parquetStyle(own, style)).map((word) => `file ${word}`)];
}

function writeDetails(
  step: CaseStep & { do: "write" },
  before: CaseStep | undefined,
  next: CaseStep | undefined,
): string[] {
  const { format, judge, compression, batchRows } = step;
  return [
    format,
    ...(judge === undefined ? [] : ["read by DuckDB"]),
    ...(compression === undefined ? [] : [compression]),
    ...(batchRows === undefined ? [] : ["small row groups"]),
    ...(before !== undefined && isPick(before) ? ["of a slice"] : []),
    ...(before !== undefined && hasTable(before) ? ["of a join"] : []),
    ...(before?.do === "file" ? ["of a file"] : []),
    ...(before?.do === "write" ? ["of a write"] : []),
    ...(next === undefined ? ["at the end"] : isPick(next) ? ["before a slice"] : []),
  ];
}

function takeDetails({ rows, as }: CaseStep & { do: "take" }): string[] {
  const places = rows.filter((part) => typeof part === "number");
  const ranges = rows.filter((part) => typeof part !== "number");
  const isUpwards = places.every((row, index) => index === 0 || row > places[index - 1]!);
  return [
    ...(rows.length === 0 ? ["nothing taken"] : []),
    ...(as === undefined ? [] : [`taken as ${as}`]),
    ...(new Set(places).size < places.length ? ["taken twice"] : []),
    ...(places.length > 1 && isUpwards ? ["taken upwards"] : []),
    ...(places.some((row) => row < 0) ? ["taken from the end"] : []),
    ...(ranges.length > 0 ? ["taken range"] : []),
    ...(ranges.some(([, , step]) => (step ?? 1) < 0) ? ["taken backwards"] : []),
  ];
}

function optionsOf(step: JoinStep): string[] {
  const pairs = keyPairs(step.on);
  return [
    ...(pairs.length > 1 ? ["several keys"] : []),
    ...(pairs.flat().some((key) => typeof key !== "string") ? ["keys by expression"] : []),
    ...(step.nullsEqual ? ["nulls equal"] : []),
    ...(step.validate === undefined ? [] : ["validated"]),
    ...(step.promote === undefined ? [] : ["lossless"]),
    ...(step.order === undefined ? [] : ["any order"]),
    ...(step.keepKeys ? ["kept keys"] : []),
  ];
}

function asOfDetails({ table, asOf, by = [], direction, how, keepKeys, ...step }: AsOfStep) {
  const [[, name]] = namePairs(asOf) as [readonly [string, string]];
  const { type, values } = table.columns.find((column) => column.name === name)!;
  const times = values.filter((value) => value !== null);
  const { tolerance } = step;
  const isNumber = !Number.isNaN(Number(tolerance));
  return [
    `as of ${direction ?? "backward"}`,
    ...(how === "inner" ? ["as of, inner"] : []),
    ...(keepKeys ? ["as of, kept keys"] : []),
    ...([[], ["as of by one column"], ["as of by two columns"]][namePairs(by).length] ?? []),
    ...(tolerance === undefined ? [] : [`as of within a ${isNumber ? "number" : "duration"}`]),
    ...(nameOfType(type).startsWith("float") ? ["as of floats"] : []),
    ...(times.length < values.length ? ["as of null times"] : []),
    ...(new Set(times).size < times.length ? ["as of tied times"] : []),
    ...(values.length === 0 ? ["as of nothing"] : []),
  ];
}

function whereDetails({ table, where, how }: WhereStep): string[] {
  const parts = conjunctsOf(parseExpr(where));
  const bounds = parts.flatMap((part) => part.kind === "bound" ? [part] : []);
  const bounded = bounds.map(({ right }) => printExpr(right));
  const ofBuild = (name: string) => table.columns.find((column) => column.name === name);
  const isType = (right: Expr, isSuch: (type: TypeJson) => boolean) =>
    [...columnsOf(right, "right")].some((name) => isSuch(ofBuild(name)!.type));
  return [
    ...(how === "left" ? ["where, left"] : []),
    ...parts.map((part) => "op" in part ? `where ${part.op}` : `where ${part.kind}`),
    ...(bounds.some(({ right }) => isType(right, (type) => type === "utf8"))
      ? ["where text is bounded"]
      : []),
    ...(new Set(bounded).size < bounded.length ? ["where a value has two bounds"] : []),
    ...(parts.some((part) =>
        part.kind === "equal" && isType(part.right, (type) => kindOf(typeOf(type)) === undefined)
      )
      ? ["where keys have no order"]
      : []),
  ];
}

function exprsOf(step: CaseStep): readonly string[] {
  if (step.do === "joinWhere") return [step.where];
  if (step.do === "filter") return [step.expr];
  return step.do === "with" ? step.columns.map(([, text]) => text) : [];
}

/** The time zone of a type. */
function zoneIn(type: TypeJson): string | undefined {
  return nameOfType(type) === "timestamp" && typeof type[2] === "string" ? type[2] : undefined;
}

function addOperations(
  node: ExprNode,
  features: Set<string>,
  zoned: ReadonlySet<string>,
): void {
  const name = node.node === "call"
    ? node.op.spec.name
    : node.node === "compare"
    ? node.op
    : node.node;
  features.add(`operation ${name}`);
  if (node.node === "call" && node.text.node === "column" && zoned.has(node.text.name)) {
    features.add(`zone ${name} in one`);
  }
  for (const child of childrenOf(node)) addOperations(child, features, zoned);
}

/** What was drawn how often: a draw that never happens tests nothing. */

import { joinHows } from "../../gpu/join_kind.ts";
import { builtInOperations } from "../../ops/string/built_in_operations.ts";
import { childrenOf, type ExprNode } from "../../ops/syntax/node.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { nameOfType, TYPE_NAMES } from "./case_types.ts";
import {
  type CaseStep,
  type FuzzCase,
  type JoinStep,
  keyPairs,
  numRowsOf,
  STEP_KINDS,
} from "./fuzz_case.ts";
import { FORMATS } from "./random_case.ts";
import { ALL_LAYOUTS } from "./random_table.ts";
import { tablesOf } from "./shrink.ts";
import { needsAdapter, VARIANT_NAMES } from "./variants.ts";

const CONSTRUCTS = ["column", "literal", "concat", "add", "and", "or", "not", "isNull", "isIn"]
  .concat("fillNull", "choose", "==", "!=", "<", "<=", ">", ">=");

/** What a run is expected to draw, by group. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  step: STEP_KINDS,
  detail: [
    ...joinHows,
    ...["several keys", "keys by expression", "nulls equal"],
    ...["validated", "lossless", "any order", "kept keys"],
    ...["negative start", "negative stop", "step", "no stop"],
    ...["regroup by rows", "regroup by bytes"],
  ],
  operation: [...builtInOperations.map(({ spec }) => spec.name), ...CONSTRUCTS],
  type: TYPE_NAMES.filter((name) => !/^(large|.*_view$|dictionary)/.test(name)),
  layout: ALL_LAYOUTS.map((layout) => JSON.stringify(layout)),
  batches: ["empty", "one row", "surrounded", "bare", "cut", "mixed layouts", "none with rows"],
  values: ["all null", "some null", "none null"],
  file: FORMATS,
  variant: VARIANT_NAMES,
  outcome: [
    ...["ConversionError", "OverflowError", "ExprError", "judged by DuckDB"],
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

  /** What was never drawn; what needs an adapter only where there is one. */
  never(hasAdapter: boolean): string[] {
    return Object.entries(EXPECTED).flatMap(([group, names]) =>
      names.map((name) => `${group} ${name}`)
    ).filter((name) => !this.#counts.has(name))
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

/** What a case is made of, each once. */
function featuresOf(given: FuzzCase): ReadonlySet<string> {
  const features = new Set<string>();
  for (const variant of given.variants) features.add(`variant ${variant}`);
  for (const step of given.steps) {
    features.add(`step ${step.do}`);
    for (const detail of detailsOf(step)) features.add(detail);
    for (const text of exprsOf(step)) addOperations(parseExpr(text).node, features);
  }
  for (const table of tablesOf(given)) {
    const { columns, batches } = table;
    for (const { type, values } of columns) {
      features.add(`type ${nameOfType(type)}`);
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
    case "slice":
      return [
        ...((step.start ?? 0) < 0 ? ["detail negative start"] : []),
        ...((step.stop ?? 0) < 0 ? ["detail negative stop"] : []),
        ...(step.stop === null ? ["detail no stop"] : []),
        ...((step.step ?? 1) > 1 ? ["detail step"] : []),
      ];
    case "regroup":
      return [`detail regroup by ${step.bytes === undefined ? "rows" : "bytes"}`];
    case "file":
      return [`file ${step.format}`];
    default:
      return [];
  }
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

function exprsOf(step: CaseStep): readonly string[] {
  if (step.do === "filter") return [step.expr];
  return step.do === "with" ? step.columns.map(([, text]) => text) : [];
}

function addOperations(node: ExprNode, features: Set<string>): void {
  const name = node.node === "call"
    ? node.op.spec.name
    : node.node === "compare"
    ? node.op
    : node.node;
  features.add(`operation ${name}`);
  for (const child of childrenOf(node)) addOperations(child, features);
}

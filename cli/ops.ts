/**
 * The text of `sluice ops`.
 *
 * @module
 */

import type { StringOp, StringOpExample } from "../mod.ts";
import { didYouMean } from "../ops/expr/nearest_name.ts";
import { CommandError } from "./command_error.ts";
import type { GlobalOptions } from "./command_line.ts";
import { loadPlugins } from "./plugins.ts";

/** Lists the operations of expressions: all of them, or the named ones with examples. */
export async function listOperations(
  { plugins }: GlobalOptions,
  names: readonly string[],
): Promise<string> {
  const sluice = await import("../mod.ts");
  const { operations } = await loadPlugins(plugins, sluice);
  const all: readonly StringOp[] = [...sluice.operations, ...operations];
  if (names.length > 0) {
    return names.map((name) => describeOperation(findOperation(name, all))).join("\n");
  }
  const signatures = all.map(signature);
  const width = Math.max(...signatures.map((text) => text.length));
  const lines = all.map(({ spec }, i) => `${signatures[i]!.padEnd(width)}  ${spec.summary ?? ""}`);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n\n${grammar}`;
}

const grammar = `They are methods of text: name.upper().slice(0, 3). Besides them, expressions have
  "text" 'text' 12 1.5 true null    literals; col("odd name") for any column
  a + b  concat(a, b, ...)          texts put together, or numbers added
  == != < <= > >=  && || !          comparisons and logic; null counts as unknown
  test ? a : b                      b where the test is false or null
  a.isNull()  a.fillNull(b)         what to do with nulls
`;

function findOperation(name: string, all: readonly StringOp[]): StringOp {
  const found = all.find(({ spec }) => spec.name === name);
  if (found !== undefined) return found;
  const names = all.map(({ spec }) => spec.name);
  throw new CommandError(`Unknown operation ${JSON.stringify(name)}${didYouMean(name, names)}`);
}

function describeOperation(operation: StringOp): string {
  const { summary, examples = [], name } = operation.spec;
  const lines = [signature(operation), ...(summary === undefined ? [] : ["", `  ${summary}`])];
  if (examples.length > 0) lines.push("", ...examples.map((example) => exampleLine(name, example)));
  return `${lines.join("\n")}\n`;
}

/** `splitPart(delimiter: string, index: i32) -> string`; a question mark: may be left out. */
function signature({ spec, parameters, returns }: StringOp): string {
  const list = parameters.map(({ name, type, optional }) =>
    `${name}${optional ? "?" : ""}: ${type}`
  );
  return `${spec.name}(${list.join(", ")}) -> ${returns}`;
}

function exampleLine(name: string, { input, args = [], result }: StringOpExample): string {
  const list = args.map((arg) => literal(arg)).join(", ");
  return `  ${literal(input)}.${name}(${list}) is ${literal(result)}`;
}

function literal(value: unknown): string {
  return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
}

/**
 * The text of `sluice ops`.
 *
 * @module
 */

import type { OperationDescription } from "../mod.ts";
import { didYouMean } from "../base/nearest_name.ts";
import { CommandError } from "../base/errors/command_error.ts";
import type { GlobalOptions } from "./words/command_line.ts";
import { library } from "./library/library.ts";
import { displayWidth } from "./print/terminal.ts";
import { loadPlugins } from "./session/plugins.ts";

/** The width of the text in terminal columns. */
const WIDTH = 100;

/** Returns the text: a list of all operations of expressions, or the named ones with all examples. */
export async function listOperations(
  { plugins }: GlobalOptions,
  names: readonly string[],
): Promise<string> {
  const describeOperations = await library.describeOperations();
  const { operations } = await loadPlugins(plugins);
  const all = describeOperations([...await library.operations(), ...operations]);
  if (names.length > 0) return names.map((name) => describe(findOperation(name, all))).join("\n");
  const groups = Map.groupBy(all, ({ group }) => group);
  const lists = [...groups].map(([group, operations]) =>
    `${group}\n${operations.map(listed).join("")}`
  );
  return `${introduction}\n${lists.join("\n")}`;
}

const introduction =
  `Operations are methods of what they work on, name.upper().slice(0, 3), or functions,
upper(name). Values are written "text" 'text' 12 1.5 true null, patterns /\\d+/i, and columns by
their names without quotes; col("odd name") is any column. In "text" a backslash is \\\\, in a pattern
one is enough. sluice ops NAME shows more of one.
`;

function findOperation(
  name: string,
  all: readonly OperationDescription[],
): OperationDescription {
  const found = all.find((operation) => operation.name === name) ??
    all.find(({ aliases }) => aliases.includes(name));
  if (found !== undefined) return found;
  const names = all.flatMap((operation) => [operation.name, ...operation.aliases]);
  throw new CommandError(`Unknown operation ${JSON.stringify(name)}${didYouMean(name, names)}`);
}

/** Returns the lines of an operation in the list: signature and kinds, summary, and one example. */
function listed({ summary, examples, ...operation }: OperationDescription): string {
  const example = examples.find(({ line }) => displayWidth(line) <= WIDTH - 6) ?? examples[0];
  const lines = [...wrapped(summary, 4), ...(example ? exampleLines(example.line, 6) : [])];
  return [headOf(operation), ...lines, ""].join("\n");
}

function describe({ summary, details, differs, examples, ...operation }: OperationDescription) {
  const lines = [headOf(operation).trimStart()];
  if (summary !== "") lines.push("", ...wrapped(`${summary}.`, 2));
  if (details !== "") lines.push("", ...wrapped(details, 2));
  if (differs.length > 0) lines.push("", "  Differs from");
  for (const clause of differs) lines.push(...wrapped(clause, 4));
  if (examples.length > 0) lines.push("");
  for (const { line } of examples) lines.push(...exampleLines(line, 2));
  return `${lines.join("\n")}\n`;
}

/** Returns the signature with the kinds at the right. */
function headOf({ signature, kinds }: Pick<OperationDescription, "signature" | "kinds">): string {
  const kind = kinds.join(", ");
  const width = WIDTH - kind.length - 3;
  const [first = "", ...rest] = wrapped(signature, 2, width);
  return [`${first.padEnd(width)}   ${kind}`, ...rest.map((line) => `    ${line}`)].join("\n");
}

function exampleLines(line: string, indent: number): string[] {
  if (displayWidth(line) + indent <= WIDTH) return [" ".repeat(indent) + line];
  const cut = line.lastIndexOf(" is ");
  return [
    " ".repeat(indent) + line.slice(0, cut),
    `${" ".repeat(indent + 2)}${line.slice(cut + 1)}`,
  ];
}

function wrapped(text: string, indent: number, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = " ".repeat(indent - 1);
  for (const word of text.split(" ")) {
    if (displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = " ".repeat(indent - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

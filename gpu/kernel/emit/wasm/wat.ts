/**
 * Prints a module of WebAssembly in the text format (WebAssembly Core Specification 2.0, 6): what
 * `encodeModule` encodes, for people and for golden files. Assembled, it is the same module.
 *
 * @module
 */

import { encodingOf, instructionsOf, type WasmInstruction } from "./instructions.ts";
import { MAX_PAGES, MIN_PAGES, type WasmFunction } from "./module.ts";

/** The text of the module of some functions, for a memory that is shared among threads or not. */
export function printModule(functions: readonly WasmFunction[], isShared: boolean): string {
  const memory = isShared ? `${MIN_PAGES} ${MAX_PAGES} shared` : String(MIN_PAGES);
  return `(module
  (import "host" "memory" (memory ${memory}))
${functions.map(printFunction).join("")})
`;
}

function printFunction(
  { name, parameters, results, locals, body, isExported }: WasmFunction,
): string {
  const head = [
    `(func $${name}`,
    ...(isExported === true ? [`(export "${name}")`] : []),
    ...parameters.map((parameter) => `(param $${parameter} i32)`),
    ...(results.length > 0 ? [`(result ${results.join(" ")})`] : []),
  ];
  const lines = [head.join(" "), ...locals.map(([local, type]) => `  (local $${local} ${type})`)];
  let depth = 1;
  for (const instruction of instructionsOf(body)) {
    const [op] = instruction;
    if (op === "end" || op === "else") depth--;
    lines.push("  ".repeat(depth) + [op, ...immediatesOf(instruction)].join(" "));
    if (op === "else" || encodingOf(op).operands === "block") depth++;
  }
  return `${lines.map((line) => `  ${line}\n`).join("")}  )\n`;
}

/** What stands behind the name of an instruction. */
function immediatesOf([op, ...operands]: WasmInstruction): string[] {
  const [first, second] = operands;
  switch (encodingOf(op).operands) {
    case "none":
    case "copy":
    case "fill":
      return [];
    case "block":
      return second === undefined ? [`$${first}`] : [`$${first}`, `(result ${second})`];
    case "label":
    case "local":
    case "function":
      return [`$${first}`];
    case "int":
      return [String(first)];
    case "memory":
      // Places are multiples of nothing.
      return first === undefined || first === 0 ? ["align=1"] : [`offset=${first}`, "align=1"];
    case "bytes":
      return ["i8x16", ...operands.map(String)];
  }
}

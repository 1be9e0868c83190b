/**
 * Prints a WebAssembly module in the text format (WebAssembly Core Specification 2.0, 6), for
 * people and for golden files. Assembled, the text is the module that `encodeModule` encodes.
 *
 * @module
 */

import { encodingOf, instructionsOf, type WasmInstruction } from "./instructions.ts";
import { MAX_PAGES, MIN_PAGES, type WasmFunction, type WasmMemory } from "./module.ts";

/** Prints the module of some functions. */
export function printModule(
  functions: readonly WasmFunction[],
  memories: readonly WasmMemory[],
): string {
  return `(module
${memories.map(printMemory).join("")}${functions.map(printFunction).join("")})
`;
}

function printMemory({ name, isShared }: WasmMemory): string {
  const limits = isShared ? `${MIN_PAGES} ${MAX_PAGES} shared` : String(MIN_PAGES);
  return `  (import "host" "${name}" (memory ${limits}))\n`;
}

function printFunction(
  { name, parameters, parameterType = "i32", results, locals, body, isExported }: WasmFunction,
): string {
  const head = [
    `(func $${name}`,
    ...(isExported === true ? [`(export "${name}")`] : []),
    ...parameters.map((parameter) => `(param $${parameter} ${parameterType})`),
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

/** Returns the words after the name of an instruction. */
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
    case "long":
    case "lane":
      return [String(first)];
    case "float":
      return [floatText(Number(first))];
    case "memory":
      // Accesses are aligned to single bytes.
      return [
        ...second === undefined || second === 0 ? [] : [String(second)],
        ...first === undefined || first === 0 ? [] : [`offset=${first}`],
        "align=1",
      ];
    case "bytes":
      return [...op === "v128.const" ? ["i8x16"] : [], ...operands.map(String)];
  }
}

/** Prints a float64; the shortest digits that JavaScript prints are exact. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const magnitude = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + (magnitude === Infinity ? "inf" : String(magnitude));
}

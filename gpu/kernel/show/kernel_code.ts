/**
 * The code of a kernel at each stage of the compiler, for people to read: the row functions as
 * written, their IR, what the host runs, and what a device runs.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { emitJavaScriptByteMap } from "../emit/javascript/byte_map.ts";
import { emitJavaScript, javaScriptSource } from "../emit/javascript/emit.ts";
import { emitAsciiMap } from "../emit/wasm/ascii_map.ts";
import { emitCharacterMap } from "../emit/wasm/character_map.ts";
import { emitWasm, type WasmKernel, wasmRefusal, wasmSource } from "../emit/wasm/emit.ts";
import { columnsWithLanes, columnsWithLongRows, emitWgsl } from "../emit/wgsl/emit.ts";
import { emitMarks } from "../emit/wgsl/lanes/mark_rows.ts";
import { wgslRefusal } from "../emit/wgsl/refusal.ts";
import { ownPasses, type Pass, type Rows } from "../emit/wgsl/print/pass.ts";
import { canTile } from "../emit/wgsl/tiles/tiles.ts";
import { describeRules, textWork } from "../emit/wgsl/strategy_rules.ts";
import type { KernelIR, RowKernel, Variant } from "../ir/ir.ts";
import { printIr } from "../ir/print.ts";
import { isIntrinsic } from "../language/intrinsics.ts";
import type { RowFunction } from "../language/row_function.ts";
import { asCharacterMap, asciiCharacters } from "../lower/character_map.ts";
import { lowerKernel } from "../lower/lower.ts";
import type { Kernel, Tree } from "../tree/tree.ts";
import { childrenOf, mapOf } from "../tree/tree_facts.ts";
import { bodyOf, isParsedHelper } from "../parse/row_code.ts";

/** A piece of code, with its title. */
export interface CodeSection {
  readonly title: string;
  /** Lines; empty if the title says it all. */
  readonly text: string;
}

/** The code of a kernel for one variant. */
export interface KernelCode {
  readonly sections: readonly CodeSection[];
  /** Whether the result may have nulls, which the kernels that read it need to know. */
  readonly canBeNull: boolean;
}

/** Returns the code of a kernel. `types` and `names` are those of all columns of the program. */
export function kernelCode(
  kernel: Kernel,
  types: readonly ColumnType[],
  variant: Variant,
  names: readonly string[],
): KernelCode {
  const ir = lowerKernel(kernel, types, { ...variant, hasFloats: true });
  const bitwise = lowerKernel(kernel, types, variant);
  const [text, bitwiseText] = [ir, bitwise].map((code) => printIr(code, names));
  const isOther = kernel.hostOnly === undefined && text !== bitwiseText;
  const functions = new Map(rowFunctionsOf(kernel.tree).flatMap(withHelpers));
  return {
    sections: [
      ...[...functions].map(([fn, title]) => ({ title, text: sourceOf(fn) })),
      { title: "IR", text: text! },
      ...hostCode(kernel, ir),
      ...isOther
        ? [{ title: "IR for a device, which compares floats by their bits", text: bitwiseText! }]
        : [],
      ...deviceCode(kernel, bitwise),
    ],
    canBeNull: ir.kernel === "row" ? ir.canBeNull : variant.nullable[ir.columns[0]] === true,
  };
}

/** Returns the functions that a tree calls, in the order in which they run. */
function rowFunctionsOf(tree: Tree): RowFunction[] {
  const inner = childrenOf(tree).flatMap(rowFunctionsOf);
  return tree.node === "call" ? [...inner, mapOf(tree) ?? tree.fn] : inner;
}

/** Returns a function and all helpers that it calls, directly or not, each with its title. */
function withHelpers(fn: RowFunction): [fn: RowFunction, title: string][] {
  const helpers = (caller: RowFunction): [RowFunction, string][] =>
    Object.entries(caller.consts).flatMap(([name, value]): [RowFunction, string][] =>
      isParsedHelper(value) ? [[value, `helper ${name}`], ...helpers(value)] : []
    );
  return [[fn, `row function ${fn.name}, ${fn.kind}`], ...helpers(fn)];
}

function sourceOf(fn: RowFunction): string {
  const state = bodyOf(fn).state.map(({ name, initial }) =>
    `// state ${name.replace(/^state_/, "")} = ${initial}\n`
  );
  const consts = Object.entries(fn.consts).map(([name, value]) => {
    if (typeof value === "string") return `// const ${name} = ${JSON.stringify(value)}\n`;
    if (typeof value === "number") return `// const ${name} = ${value}\n`;
    if (typeof value === "bigint") return `// const ${name} = ${value}n\n`;
    if (isIntrinsic(value)) return "";
    if (value instanceof Int32Array) return `// const ${name}: ${value.length} entries\n`;
    return isParsedHelper(value) ? "" : `// const ${name}: scratch of ${value.size} words\n`;
  });
  return [...state, ...consts, dedented(fn.source)].join("");
}

/** Removes the indentation of the file that a source was written in. */
function dedented(source: string): string {
  const depths = source.split("\n").slice(1).flatMap((line) => {
    const depth = line.search(/\S/);
    return depth < 0 ? [] : [depth];
  });
  return source.replaceAll(`\n${" ".repeat(Math.min(0xff, ...depths))}`, "\n");
}

/**
 * Returns the host's code: JavaScript for small batches, and WebAssembly for others where it can be
 * used.
 */
function hostCode(kernel: Kernel, ir: KernelIR): CodeSection[] {
  const isMap = ir.kernel === "byteMap";
  const wasm = isMap ? characterCode(kernel) : emitWasm(ir);
  const text = javaScriptSource(isMap ? emitJavaScriptByteMap(ir.map) : emitJavaScript(ir));
  if (wasm !== null) {
    return [
      { title: "host: WebAssembly", text: wasmSource(wasm) },
      { title: "host, for small batches: JavaScript", text },
    ];
  }
  const why = isMap
    ? "it maps too many ranges of bytes"
    : wasmRefusal(ir) ?? "it takes too many arrays";
  return [{ title: `host: JavaScript, not WebAssembly, since ${why}`, text }];
}

/** Returns a kernel that maps bytes as a map of characters; null if it runs only as JavaScript. */
function characterCode({ tree }: Kernel): WasmKernel | null {
  const map = asCharacterMap(tree);
  const ascii = map && asciiCharacters(map);
  return ascii && (map.keepsOthers ? emitAsciiMap : emitCharacterMap)(ascii);
}

function deviceCode({ hostOnly }: Kernel, ir: KernelIR): CodeSection[] {
  const title = (why: string) => [{ title: `device: none, since ${why}`, text: "" }];
  if (hostOnly !== undefined) return title(hostOnly);
  if (ir.kernel === "byteMap") {
    return [{ title: "device: a pass over words, by a table of the map", text: "" }];
  }
  // How many buffers a device can bind is known only once there is one.
  const why = wgslRefusal(ir, Infinity);
  return why === null ? [...usualCode(ir), ...longRowCode(ir), ...laneCode(ir)] : title(why);
}

/** Returns the passes in which each row has one invocation. */
function usualCode(ir: RowKernel): CodeSection[] {
  const own = ownPasses(ir).map((pass) => passCode(ir, pass));
  const rules = canTile(ir) ? describeRules(textWork(ir)) : null;
  return rules === null ? own : [...own, passCode(ir, "tiles", `instead of both ${rules}`)];
}

/** Returns the same passes for batches with rows long enough for a workgroup each. */
function longRowCode(ir: RowKernel): CodeSection[] {
  if (columnsWithLongRows(ir).length === 0) return [];
  return ownPasses(ir).flatMap((pass) => [
    passCode(ir, pass, "for the others where long rows have a workgroup each", "short"),
    passCode(ir, pass, "for long rows", "long"),
  ]);
}

/** Returns the same passes with several lanes before a row, and the code that marks. */
function laneCode(ir: RowKernel): CodeSection[] {
  if (columnsWithLanes(ir).length === 0) return [];
  const marks = emitMarks(ir);
  const rules = describeRules(marks === null ? "copies" : "marks");
  if (rules === null) return [];
  const how = `with several lanes a row ${rules}`;
  return [
    ...(marks === null ? [] : [{ title: `device: WGSL, marks, ${how}`, text: marks.code }]),
    ...ownPasses(ir).map((pass) => passCode(ir, pass, how, "all", true)),
  ];
}

function passCode(
  ir: RowKernel,
  pass: Pass,
  when?: string,
  rows: Rows = "all",
  hasLanes = false,
): CodeSection {
  const title = `device: WGSL, pass ${pass}${when === undefined ? "" : `, ${when}`}`;
  return { title, text: emitWgsl(ir, pass, { rows, hasLanes }).code };
}

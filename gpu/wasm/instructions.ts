/**
 * The WebAssembly instructions that kernels use, by their names in the text format, with the
 * templates that assemble code and the encoding of each instruction (WebAssembly Core Specification
 * 2.0, 5.4).
 *
 * @module
 */

/**
 * One instruction: its name, then its operands. Locals, labels and functions are named. A constant
 * of 64 bits is a bigint.
 *
 * `block`, `loop` and `if` take a label, and the type of the value that they leave, if any.
 * `v128.const` takes its 16 bytes, `i8x16.shuffle` the numbers of 16 lanes, and `extract_lane` the
 * number of one. A load or a store takes the offset that it adds, and the number of the memory
 * unless it is the first.
 */
export type WasmInstruction = readonly [op: string, ...operands: readonly WasmOperand[]];

/** An operand of an instruction. */
export type WasmOperand = string | number | bigint;

/**
 * Code under construction: instructions, and parts that contain instructions. A part is not copied
 * into the code around it, since that would copy the innermost part once for each level.
 */
export type WasmCode = readonly (WasmInstruction | WasmCode)[];

/** Returns the instructions of some code, in order. */
export function instructionsOf(code: WasmCode): WasmInstruction[] {
  const instructions: WasmInstruction[] = [];
  const add = (parts: WasmCode) => {
    for (const part of parts) {
      if (isInstruction(part)) instructions.push(part);
      else add(part);
    }
  };
  add(code);
  return instructions;
}

/**
 * Assembles code from the text format, without `$` before names: instructions separated by
 * semicolons or line ends, with other code between them. Lines that begin with `;;` are comments.
 */
export function wasm(texts: TemplateStringsArray, ...values: readonly Value[]): WasmCode {
  let parts = templates.get(texts);
  if (parts === undefined) templates.set(texts, parts = partsOf(texts));
  return parts.map((part) => "instruction" in part ? part.instruction : filled(part.words, values));
}

/** A value in a template: a name, a number, or code. */
type Value = WasmOperand | WasmInstruction | WasmCode;

/** A constant instruction, or words with placeholders for values: `@0@` is the first. */
type TemplatePart =
  | { readonly instruction: WasmInstruction }
  | { readonly words: readonly string[] };

/** The templates that have been parsed. */
const templates = new WeakMap<TemplateStringsArray, readonly TemplatePart[]>();

function partsOf(texts: TemplateStringsArray): TemplatePart[] {
  const text = texts.map((part, index) => index === 0 ? part : `@${index - 1}@${part}`).join("");
  return text.split("\n")
    .flatMap((line) => line.trim().startsWith(";;") ? [] : line.split(";"))
    .map((instruction) => instruction.trim()).filter((instruction) => instruction !== "")
    .map((instruction) => {
      const words = instruction.split(" ");
      return instruction.includes("@") ? { words } : { instruction: instructionOf(words) };
    });
}

function filled(
  words: readonly string[],
  values: readonly Value[],
): WasmInstruction | WasmCode {
  const [first = ""] = words;
  const code = words.length === 1 ? values[Number(first.slice(1, -1))] : undefined;
  if (typeof code === "object") return code;
  return instructionOf(
    words.flatMap((word) =>
      word.includes("@")
        ? word.replace(/@(\d+)@/g, (_, index) => String(values[index])).split(" ")
        : word
    ),
  );
}

function instructionOf([op, ...operands]: readonly string[]): WasmInstruction {
  const number = op === "i64.const" ? BigInt : Number;
  return [op!, ...operands.map((word) => /^-?\d/.test(word) ? number(word) : word)];
}

function isInstruction(part: WasmInstruction | WasmCode): part is WasmInstruction {
  return typeof part[0] === "string";
}

/** The immediates that follow the opcode of an instruction. */
export type WasmOperands =
  | "none"
  | "block"
  | "label"
  | "local"
  | "function"
  | "int"
  | "long"
  | "float"
  | "memory"
  | "bytes"
  | "lane"
  | "copy"
  | "fill";

/** The opcode of an instruction, and its operands. */
interface WasmEncoding {
  readonly code: readonly number[];
  readonly operands: WasmOperands;
}

const SIMD = 0xfd;

/** The encodings of all instructions that kernels may use, by name. */
export const wasmEncodings: ReadonlyMap<string, WasmEncoding> = new Map([
  ...of("block", { block: 0x02, loop: 0x03, if: 0x04 }),
  ...of("label", { br: 0x0c, br_if: 0x0d }),
  ...of("function", { call: 0x10 }),
  ...of("local", { "local.get": 0x20, "local.set": 0x21, "local.tee": 0x22 }),
  ...of("int", { "i32.const": 0x41 }),
  ...of("long", { "i64.const": 0x42 }),
  ...of("float", { "f64.const": 0x44 }),
  ...of("memory", {
    "i32.load": 0x28,
    "i64.load": 0x29,
    "f32.load": 0x2a,
    "f64.load": 0x2b,
    "i32.load8_s": 0x2c,
    "i32.load8_u": 0x2d,
    "i32.load16_s": 0x2e,
    "i32.load16_u": 0x2f,
    "i32.store": 0x36,
    "i64.store": 0x37,
    "i32.store8": 0x3a,
    "i32.store16": 0x3b,
  }),
  ...of("none", {
    else: 0x05,
    end: 0x0b,
    return: 0x0f,
    select: 0x1b,
    "i32.eqz": 0x45,
    "i32.eq": 0x46,
    "i32.ne": 0x47,
    "i32.lt_s": 0x48,
    "i32.lt_u": 0x49,
    "i32.gt_s": 0x4a,
    "i32.gt_u": 0x4b,
    "i32.le_s": 0x4c,
    "i32.ge_s": 0x4e,
    "i32.le_u": 0x4d,
    "i32.ge_u": 0x4f,
    "i64.eqz": 0x50,
    "i64.eq": 0x51,
    "i64.ne": 0x52,
    "i64.lt_s": 0x53,
    "i64.lt_u": 0x54,
    "i64.gt_s": 0x55,
    "i64.gt_u": 0x56,
    "i64.le_s": 0x57,
    "i64.ge_s": 0x59,
    "i64.ge_u": 0x5a,
    "f64.eq": 0x61,
    "f64.ne": 0x62,
    "f64.lt": 0x63,
    "f64.gt": 0x64,
    "f64.le": 0x65,
    "f64.ge": 0x66,
    "i32.clz": 0x67,
    "i32.ctz": 0x68,
    "i32.popcnt": 0x69,
    "i32.add": 0x6a,
    "i32.sub": 0x6b,
    "i32.mul": 0x6c,
    "i32.div_s": 0x6d,
    "i32.div_u": 0x6e,
    "i32.rem_s": 0x6f,
    "i32.rem_u": 0x70,
    "i32.and": 0x71,
    "i32.or": 0x72,
    "i32.xor": 0x73,
    "i32.shl": 0x74,
    "i32.shr_s": 0x75,
    "i32.shr_u": 0x76,
    "i64.clz": 0x79,
    "i64.add": 0x7c,
    "i64.sub": 0x7d,
    "i64.mul": 0x7e,
    "i64.div_s": 0x7f,
    "i64.div_u": 0x80,
    "i64.rem_s": 0x81,
    "i64.rem_u": 0x82,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.xor": 0x85,
    "i64.shl": 0x86,
    "i64.shr_s": 0x87,
    "i64.shr_u": 0x88,
    "f64.abs": 0x99,
    "f64.neg": 0x9a,
    "f64.ceil": 0x9b,
    "f64.floor": 0x9c,
    "f64.trunc": 0x9d,
    "f64.nearest": 0x9e,
    "f64.sqrt": 0x9f,
    "f64.add": 0xa0,
    "f64.sub": 0xa1,
    "f64.mul": 0xa2,
    "f64.div": 0xa3,
    "i32.wrap_i64": 0xa7,
    "i64.extend_i32_s": 0xac,
    "i64.extend_i32_u": 0xad,
    "f32.demote_f64": 0xb6,
    "f64.convert_i32_s": 0xb7,
    "f64.convert_i32_u": 0xb8,
    "f64.convert_i64_s": 0xb9,
    "f64.convert_i64_u": 0xba,
    "f64.promote_f32": 0xbb,
    "i32.reinterpret_f32": 0xbc,
    "i64.reinterpret_f64": 0xbd,
    "f64.reinterpret_i64": 0xbf,
  }),
  ...simd("memory", { "v128.load": 0x00, "v128.store": 0x0b }),
  ...simd("bytes", { "v128.const": 0x0c, "i8x16.shuffle": 0x0d }),
  ...simd("lane", { "i32x4.extract_lane": 0x1b }),
  ...simd("none", {
    "i8x16.swizzle": 0x0e,
    "i8x16.splat": 0x0f,
    "i32x4.splat": 0x11,
    "i8x16.eq": 0x23,
    "i8x16.ne": 0x24,
    "i8x16.lt_u": 0x26,
    "i8x16.gt_s": 0x27,
    "i8x16.gt_u": 0x28,
    "i8x16.le_s": 0x29,
    "i8x16.le_u": 0x2a,
    "i8x16.ge_u": 0x2c,
    "i32x4.gt_s": 0x3b,
    "v128.not": 0x4d,
    "v128.and": 0x4e,
    "v128.or": 0x50,
    "v128.xor": 0x51,
    "v128.bitselect": 0x52,
    "v128.any_true": 0x53,
    "i8x16.all_true": 0x63,
    "i8x16.bitmask": 0x64,
    "i8x16.shr_u": 0x6d,
    "i8x16.add": 0x6e,
    "i8x16.sub": 0x71,
    "i8x16.sub_sat_u": 0x73,
    "i32x4.bitmask": 0xa4,
    "i32x4.add": 0xae,
    "i32x4.sub": 0xb1,
    "i32x4.min_u": 0xb7,
  }),
  ["i32.trunc_sat_f64_s", { code: [0xfc, 0x02], operands: "none" }],
  ["i64.trunc_sat_f64_s", { code: [0xfc, 0x06], operands: "none" }],
  ["memory.copy", { code: [0xfc, 0x0a], operands: "copy" }],
  ["memory.fill", { code: [0xfc, 0x0b], operands: "fill" }],
]);

/** Returns the encoding of an instruction. */
export function encodingOf(op: string): WasmEncoding {
  const encoding = wasmEncodings.get(op);
  if (encoding === undefined) throw new RangeError(`Kernels use no instruction ${op}`);
  return encoding;
}

function of(
  operands: WasmOperands,
  codes: Readonly<Record<string, number>>,
): [string, WasmEncoding][] {
  return Object.entries(codes).map(([name, code]) => [name, { code: [code], operands }]);
}

function simd(
  operands: WasmOperands,
  codes: Readonly<Record<string, number>>,
): [string, WasmEncoding][] {
  // SIMD opcodes are LEB128 numbers.
  const bytesOf = (code: number) => code < 0x80 ? [code] : [code & 0x7f | 0x80, code >> 7];
  return Object.entries(codes)
    .map(([name, code]) => [name, { code: [SIMD, ...bytesOf(code)], operands }]);
}

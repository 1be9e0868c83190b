/**
 * Encodes a WebAssembly module (WebAssembly Core Specification 2.0, 5.5). `wat.ts` prints it.
 *
 * @module
 */

import {
  encodingOf,
  instructionsOf,
  type WasmCode,
  type WasmInstruction,
  type WasmOperand,
} from "./instructions.ts";

/** The type of a value. */
export type WasmType = "i32" | "i64" | "f64" | "v128";

/** A function, whose locals have unique names. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  /** The type of each parameter. Default: i32. */
  readonly parameterType?: WasmType;
  readonly results: readonly WasmType[];
  /** Locals besides the parameters. */
  readonly locals: readonly (readonly [name: string, type: WasmType])[];
  readonly body: WasmCode;
  /** Whether the host calls it. */
  readonly isExported?: boolean;
}

const TYPES: Readonly<Record<WasmType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f64: 0x7c,
  v128: 0x7b,
};
const NO_VALUE = 0x40;
const FUNCTION_TYPE = 0x60;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/**
 * The fewest pages of 64 KiB of a memory. With this minimum, engines that test each access need no
 * separate test for its constant offset.
 */
export const MIN_PAGES = 1;
/** The pages of a memory of 4 GiB. */
export const MAX_PAGES = 65_536;

/** A memory that a module imports from "host", by its name there. */
export interface WasmMemory {
  readonly name: string;
  /** Whether threads share it. */
  readonly isShared: boolean;
}

/** Returns the only memory of most modules. */
export function onlyMemory(isShared: boolean): readonly WasmMemory[] {
  return [{ name: "memory", isShared }];
}

/** Encodes a module of some functions, and exports those marked as exported by name. */
export function encodeModule(
  functions: readonly WasmFunction[],
  memories: readonly WasmMemory[],
): Uint8Array {
  const numbers = new Map(functions.map(({ name }, index) => [name, index]));
  const types = new Map(functions.map((wasm) => [String(encodeType(wasm)), encodeType(wasm)]));
  const typeKeys = [...types.keys()];
  const typeNumberOf = (wasm: WasmFunction) => typeKeys.indexOf(String(encodeType(wasm)));
  const exported = functions.flatMap(({ name, isExported }, index) =>
    isExported === true ? [[...text(name), 0x00, ...unsigned(index)]] : []
  );
  return new Uint8Array([
    ...HEADER,
    ...section(1, vector([...types.values()])),
    ...section(2, vector(memories.map(encodeMemory))),
    ...section(3, vector(functions.map((wasm) => unsigned(typeNumberOf(wasm))))),
    ...section(7, vector(exported)),
    ...section(10, vector(functions.map((wasm) => sized(encodeFunction(wasm, numbers))))),
  ]);
}

function encodeMemory({ name, isShared }: WasmMemory): number[] {
  const limits = isShared
    ? [0x03, ...unsigned(MIN_PAGES), ...unsigned(MAX_PAGES)]
    : [0x00, ...unsigned(MIN_PAGES)];
  return [...text("host"), ...text(name), 0x02, ...limits];
}

function encodeType({ parameters, parameterType = "i32", results }: WasmFunction): number[] {
  return [
    FUNCTION_TYPE,
    ...vector(parameters.map(() => [TYPES[parameterType]])),
    ...vector(results.map((type) => [TYPES[type]])),
  ];
}

function encodeFunction(
  { name, parameters, locals, body }: WasmFunction,
  functions: ReadonlyMap<string, number>,
): number[] {
  const places = new Map<string, number>();
  for (const local of [...parameters, ...locals.map(([local]) => local)]) {
    if (places.has(local)) throw new RangeError(`The function ${name} has two locals ${local}`);
    places.set(local, places.size);
  }
  const labels: string[] = [];
  const code = instructionsOf(body).flatMap((instruction) => {
    const bytes = encode(instruction, { places, labels, functions });
    if (instruction[0] === "end") labels.pop();
    return bytes;
  });
  return [...encodeLocals(locals), ...code, ...encodingOf("end").code];
}

/** Encodes locals, neighbours of the same type as one declaration. */
function encodeLocals(locals: WasmFunction["locals"]): number[] {
  const runs: { type: WasmType; count: number }[] = [];
  for (const [, type] of locals) {
    const run = runs.at(-1);
    if (run?.type === type) run.count++;
    else runs.push({ type, count: 1 });
  }
  return vector(runs.map(({ type, count }) => [...unsigned(count), TYPES[type]]));
}

interface Names {
  readonly places: ReadonlyMap<string, number>;
  /** The labels of the enclosing blocks, the innermost last. */
  readonly labels: string[];
  readonly functions: ReadonlyMap<string, number>;
}

function encode(
  [op, ...operands]: WasmInstruction,
  { places, labels, functions }: Names,
): number[] {
  const { code, operands: kind } = encodingOf(op);
  const [first, second] = operands;
  switch (kind) {
    case "none":
      return [...code];
    case "block":
      labels.push(String(first));
      return [...code, second === undefined ? NO_VALUE : TYPES[second as WasmType]];
    case "label":
      return [
        ...code,
        ...unsigned(labels.length - 1 - found(labels.lastIndexOf(String(first)), first)),
      ];
    case "local":
      return [...code, ...unsigned(found(places.get(String(first)) ?? -1, first))];
    case "function":
      return [...code, ...unsigned(found(functions.get(String(first)) ?? -1, first))];
    case "int":
      return [...code, ...signed(BigInt(Number(first) | 0))];
    case "long":
      return [...code, ...signed(BigInt.asIntN(64, BigInt(first ?? 0)))];
    case "float":
      return [...code, ...float64(Number(first))];
    case "memory":
      return [...code, ...memoryOf(Number(second ?? 0)), ...unsigned(Number(first ?? 0))];
    case "bytes":
      return [...code, ...operands.map(Number)];
    case "lane":
      return [...code, Number(first)];
    case "copy":
      return [...code, 0, 0];
    case "fill":
      return [...code, 0];
  }
}

/**
 * Encodes the alignment of an access, which is 1 byte, with a flag if the number of a memory
 * follows.
 */
function memoryOf(number: number): number[] {
  return number === 0 ? [0] : [0x40, ...unsigned(number)];
}

function found(index: number, name: WasmOperand | undefined): number {
  if (index < 0) throw new RangeError(`There is no ${name} in the function`);
  return index;
}

function section(number: number, content: readonly number[]): number[] {
  return [number, ...sized(content)];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function text(ascii: string): number[] {
  return sized(Array.from(ascii, (character) => character.charCodeAt(0)));
}

/** Encodes an unsigned integer as LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push(rest % 128 | (rest >= 128 ? 0x80 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
}

/** Encodes a signed integer as LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -64n || rest > 63n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest & 0x7fn));
  return bytes;
}

/** Encodes a float64; every NaN is the same one. */
function float64(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  if (Number.isNaN(value)) view.setBigUint64(0, 0x7ff8n << 48n, true);
  else view.setFloat64(0, value, true);
  return [...new Uint8Array(view.buffer)];
}

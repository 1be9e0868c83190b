/**
 * Tests a device before it is used. A driver may translate a kernel to a language that leaves
 * undefined what WGSL defines (`%` of negative numbers, in GLSL), or handle words that two rows
 * share wrongly, and its results then look plausible. So a small kernel runs once, with one wait.
 * It tests the operators of the kernel language on numbers at their limits, as kernels print them,
 * the scan of sizes, and text whose words are shared. If a single bit differs, the device is
 * rejected.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { binary, constantOf, int, unary } from "../../kernel/ir/scalar.ts";
import type { BinaryFn, Scalar } from "../../kernel/ir/ir.ts";
import { DIVISION, localName, printScalar } from "../../kernel/emit/wgsl/print/scalar.ts";
import { DeviceError } from "../../../base/errors/device_error.ts";
import { Commands } from "../dispatch/commands.ts";
import { createContext } from "../dispatch/webgpu_context.ts";
import type { WebGpuDevice } from "../device/device.ts";
import { BLOCK_ROWS, BLOCK_SCAN_WGSL, numBlocks } from "../dispatch/scan.ts";
import { Scope } from "../memory/scope.ts";
import selfTestWgsl from "./self_test.wgsl" with { type: "text" };
import { Staging } from "../transfer/readback.ts";

/** An operation on two numbers. */
interface Operation {
  /** The expression of `a` and `b` to show in errors. */
  readonly name: string;
  /** The WGSL expression of `v_a` and `v_b`; an i32 or a bool. */
  readonly code: string;
  readonly isBool: boolean;
  readonly exact: (a: number, b: number) => number;
}

const OPERATORS: readonly BinaryFn[] = [
  ...["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"] as const,
  ...["==", "!=", "<", "<=", ">", ">=", "<u"] as const,
];

const OPERATIONS: readonly Operation[] = [
  ...OPERATORS.map((fn) => ofScalar(`a ${fn} b`, (a, b) => binary(fn, a, b))),
  ...[7, -7, 400].flatMap((divisor) => [
    ofScalar(`a / ${divisor}`, (a) => binary("/", a, int(divisor))),
    ofScalar(`a % ${divisor}`, (a) => binary("%", a, int(divisor))),
  ]),
  ofScalar("-a", (a) => unary("-", a)),
  ofScalar("~a", (a) => unary("~", a)),
  // Kernels also print these, for narrow columns, searches and counts.
  ofCode("extractBits(v_a, 8u, 8u)", (a) => a << 16 >> 24),
  ofCode("bitcast<i32>(extractBits(bitcast<u32>(v_a), 16u, 16u))", (a) => a >>> 16),
  ofCode("bitcast<i32>(countOneBits(bitcast<u32>(v_a)))", numOnes),
  ofCode("bitcast<i32>(countTrailingZeros(bitcast<u32>(v_a)))", (a) => numOnes(~a & (a - 1))),
  ofCode("bitcast<i32>(countLeadingZeros(bitcast<u32>(v_a)))", Math.clz32),
  ofCode("bitcast<i32>(firstTrailingBit(bitcast<u32>(v_a)))", (a) => 31 - Math.clz32(a & -a)),
  ofCode(
    "bitcast<i32>(bitcast<u32>(v_a) / max(1u, bitcast<u32>(v_b)))",
    (a, b) => Math.floor((a >>> 0) / Math.max(1, b >>> 0)) | 0,
  ),
  ofCode(
    "bitcast<i32>(bitcast<u32>(v_a) % max(1u, bitcast<u32>(v_b)))",
    (a, b) => (a >>> 0) % Math.max(1, b >>> 0) | 0,
  ),
  ofCode("min(v_a, v_b)", Math.min),
  ofCode("max(v_a, v_b)", Math.max),
];

const MIN_INT = -0x80000000;
const EDGES = [0, 1, -1, 2, -2, 3, 4, -4, 5, 7, -7, 31, 32, 33, -33, 65_535, -65_537, 0x7fffffff];
const NUMBERS = [...EDGES, -0x7fffffff, MIN_INT];

/** The operands of the rows: each pair of numbers, then some more, so that a third block begins. */
const OPERANDS = Int32Array.from(
  NUMBERS.flatMap((a) => NUMBERS.map((b) => [a, b]))
    .concat(Array.from({ length: 200 }, (_, k) => [Math.imul(k, 0x9e3779b1), k * 37 - 3000]))
    .flat(),
);
const NUM_ROWS = OPERANDS.length / 2;
const NUM_BLOCKS = numBlocks(NUM_ROWS);
const NUM_PLACES = NUM_ROWS + NUM_BLOCKS + NUM_BLOCKS * BLOCK_ROWS / 32;

/** The words that all rows change: the largest operand, the number of claims, and the slots. */
const NUM_SLOTS = 16;
const NUM_SHARED = 2 + NUM_SLOTS;

/** The kernel of the test. */
export const SELF_TEST_WGSL = DIVISION + printArithmetic() + BLOCK_SCAN_WGSL + selfTestWgsl;

/**
 * Runs the test. Throws a DeviceError that names the wrong result, or the reason why the test could
 * not run.
 */
export async function selfTest(device: WebGpuDevice): Promise<void> {
  const { name } = device.adapter;
  let problem: string | null;
  try {
    problem = await findProblem(device);
  } catch (cause) {
    if (!isSluiceError(cause, "DeviceError")) throw cause;
    throw new DeviceError(`${name} cannot be used: ${cause.message}`, { cause });
  }
  if (problem !== null) throw new DeviceError(`${name} computes wrongly: ${problem}`);
}

/** Describes the first wrong result of a device; returns null if all are exact. */
async function findProblem(device: WebGpuDevice): Promise<string | null> {
  const context = createContext(device, { budgetBytes: 2 ** 24 });
  using scope = new Scope();
  const counters = { ...device.counters };
  try {
    const pipeline = await context.pipelines.get({
      label: "self-test",
      code: SELF_TEST_WGSL,
      entry: "self_test",
      storage: ["read", "write", "write", "write"],
    });
    const exact = exactResults();
    const buffer = async (words: number, label: string) =>
      scope.own(await context.pool.acquire("storage", 4 * words, `self-test ${label}`));
    const numbers = await buffer(OPERANDS.length, "numbers");
    const results = await buffer(exact.results.length, "results");
    const places = await buffer(NUM_PLACES, "places");
    const numWords = exact.text.length + NUM_SHARED;
    const text = await buffer(numWords, "text");
    device.gpu.queue.writeBuffer(numbers.buffer, 0, OPERANDS);
    using commands = new Commands(context, "self-test");
    commands.clear(text, 0, numWords);
    const storage = [numbers, results, places, text];
    for (const pass of [0, 1]) {
      const params = [NUM_ROWS, NUM_BLOCKS, pass, exact.text.length];
      commands.dispatch(pipeline, { params, storage, workgroups: NUM_BLOCKS });
    }
    const staging = new Staging(context);
    staging.add(results, 0, exact.results.length);
    staging.add(places, 0, NUM_PLACES);
    staging.add(text, 0, exact.text.length);
    staging.add(text, exact.text.length, NUM_SHARED);
    const [made, madePlaces, madeText, madeShared] = await staging.read(commands);
    return wrongResult(new Int32Array(made!), exact.results) ??
      (isSame(madePlaces!, exact.places) ? null : "the sums of sizes are wrong") ??
      (isSame(madeText!, exact.text) ? null : "text of neighbouring rows is lost") ??
      (isSame(madeShared!, exact.shared) ? null : "words that many rows change are wrong");
  } finally {
    scope[Symbol.dispose]();
    context.pool.trim();
    // Only work that users asked for counts.
    Object.assign(device.counters, counters);
  }
}

function ofScalar(name: string, make: (a: Scalar, b: Scalar) => Scalar): Operation {
  const local = (name: string): Scalar => ({ op: "local", type: "i32", name });
  const scalar = make(local("a"), local("b"));
  return {
    name,
    code: printScalar(scalar),
    isBool: scalar.type === "bool",
    // Folding constants follows the same rules as the host.
    exact: (a, b) => Number(constantOf(make(int(a), int(b)))),
  };
}

function ofCode(code: string, exact: Operation["exact"]): Operation {
  const name = code.replaceAll("v_", "");
  return { name, code, isBool: false, exact };
}

function numOnes(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

function printArithmetic(): string {
  const lines = OPERATIONS.map(({ code, isBool }, k) =>
    `  results[at + ${k}u] = ${isBool ? `select(0, 1, ${code})` : code};\n`
  );
  return `
const NUM_RESULTS = ${OPERATIONS.length}u;
const NUM_SHARED = ${NUM_SHARED}u;

fn arithmetic(${localName("a")}: i32, ${localName("b")}: i32, at: u32) {
${lines.join("")}}
`;
}

/** Computes the expected contents of the buffers of `self_test.wgsl`. */
function exactResults(): {
  results: Int32Array;
  places: Uint32Array;
  text: Uint32Array;
  shared: Uint32Array;
} {
  const results = new Int32Array(NUM_ROWS * OPERATIONS.length);
  const places = new Uint32Array(NUM_PLACES);
  const bytes: number[] = [];
  for (let row = 0; row < NUM_ROWS; row++) {
    const [a, b] = [OPERANDS[2 * row]!, OPERANDS[2 * row + 1]!];
    OPERATIONS.forEach(({ exact }, k) => results[row * OPERATIONS.length + k] = exact(a, b));
    const block = Math.floor(row / BLOCK_ROWS);
    const size = b & 7;
    places[row] = places[NUM_ROWS + block]!;
    places[NUM_ROWS + block]! += size;
    places[NUM_ROWS + NUM_BLOCKS + (row >> 5)]! |= (a & 1) << (row & 31);
    for (let k = 0; k < size; k++) bytes.push((row + k) & 255);
  }
  const text = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(text.buffer).set(bytes);
  const largest = new Uint32Array(OPERANDS.buffer).reduce((most, operand, at) =>
    at % 2 === 0 ? Math.max(most, operand) : most
  );
  const slots = Array.from({ length: NUM_SLOTS }, (_, slot) => slot + 1);
  return { results, places, text, shared: Uint32Array.of(largest, NUM_SLOTS, ...slots) };
}

/** Describes the first result that is not exact; returns null if all are. */
function wrongResult(made: Int32Array, exact: Int32Array): string | null {
  const at = made.findIndex((value, k) => value !== exact[k]);
  if (at < 0) return null;
  const row = Math.floor(at / OPERATIONS.length);
  const { name } = OPERATIONS[at % OPERATIONS.length]!;
  const operand = (letter: string) => String(OPERANDS[2 * row + (letter === "a" ? 0 : 1)]);
  return `${name.replaceAll(/\b[ab]\b/g, operand)} is ${made[at]}, not ${exact[at]}`;
}

function isSame(made: ArrayBuffer, exact: Uint32Array): boolean {
  return new Uint32Array(made).every((word, k) => word === exact[k]);
}

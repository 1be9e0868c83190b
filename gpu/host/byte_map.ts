import type { HostColumn } from "../column/column.ts";
import type { WasmKernel } from "../kernel/emit/wasm/emit.ts";
import type { ByteMapKernel } from "../kernel/ir/ir.ts";
import { rangesOf } from "../kernel/ir/map_ranges.ts";
import type { WholeColumn } from "./kernel_result.ts";
import type { CompiledKernel } from "./row_kernel.ts";
import { wasmByteMapOf } from "./wasm_kernel.ts";
import { wasmArena } from "./wasm_arena.ts";

/** Ranges up to which four bytes are computed at once. */
const MAX_RANGES = 4;
/** Bytes from which WebAssembly maps them. */
const MIN_WASM_BYTES = 64 << 10;
/** Bytes before the text of the first row from which the result gets offsets of its own. */
const MAX_UNUSED_BYTES = 4096;

/** Gives all words of the source, or-ed: what shows whether each byte was below 0x80. */
type MapRun = (words: Int32Array, result: Int32Array, table: Uint8Array) => number;

/** A kernel that replaces bytes. */
export interface CompiledByteMap extends CompiledKernel {
  run(columns: readonly HostColumn[], numRows: number): WholeColumn;
  /**
   * Runs it over text of which it is not known whether it is ASCII; null where it is not. One walk
   * over the text is cheaper than one to look at it and one to replace it.
   */
  tryRun(column: HostColumn, numRows: number): HostColumn | null;
}

/**
 * Compiles a kernel that replaces bytes. The result shares the offsets and the validity of its
 * input.
 */
export function compileByteMap(kernel: ByteMapKernel): CompiledByteMap {
  const body = mapBody(kernel.map);
  const run = new Function("words", "result", "table", body) as MapRun;
  const table = new Uint8Array(256);
  table.set(kernel.map);
  const wasm = wasmByteMapOf(kernel.map);
  const mapText = (data: Uint8Array, start: number, stop: number) =>
    wasm === null || stop - start < MIN_WASM_BYTES
      ? mapBytes(run, table, data, start, stop)
      : mapInArena(wasm, data.subarray(start, stop));
  const map = (column: HostColumn | undefined, numRows: number) => {
    const offsets = column?.offsets ?? null;
    if (column === undefined || offsets === null) {
      throw new TypeError("Only text can be mapped byte by byte");
    }
    const first = offsets[0] ?? 0;
    const last = offsets[numRows] ?? first;
    const shared = first <= MAX_UNUSED_BYTES;
    const begin = shared ? 0 : first;
    const { data, isAscii } = mapText(column.data, begin, last);
    const moved = shared ? offsets : offsets.map((offset) => offset - begin);
    return { result: { ...column, data, offsets: moved }, isAscii };
  };
  return {
    source: `function (words, result, table) {\n${body}}\n`,
    checks: () => [],
    // The bytes before the first row were not checked and may be anything.
    run: ([column], numRows) => ({ kind: "column", column: map(column, numRows).result }),
    tryRun(column, numRows) {
      const { result, isAscii } = map(column, numRows);
      return isAscii ? result : null;
    },
  };
}

function mapInArena(wasm: WasmKernel, source: Uint8Array): MappedBytes {
  const data = new Uint8Array(source.length);
  return { data, isAscii: wasmArena().mapBytes(wasm, source, data) };
}

interface MappedBytes {
  readonly data: Uint8Array;
  /** Whether each byte was below 0x80. */
  readonly isAscii: boolean;
}

/** Maps `data[start, stop)`: by words where they lie at multiples of four, else by bytes. */
function mapBytes(
  run: MapRun,
  table: Uint8Array,
  data: Uint8Array,
  start: number,
  stop: number,
): MappedBytes {
  const size = stop - start;
  const place = data.byteOffset + start;
  const numWords = place % 4 === 0 ? size >> 2 : 0;
  const result = new Uint8Array(size);
  let seen = 0;
  if (numWords > 0) {
    seen = run(
      new Int32Array(data.buffer, place, numWords),
      new Int32Array(result.buffer, 0, numWords),
      table,
    );
  }
  for (let i = 4 * numWords; i < size; i++) {
    const byte = data[start + i] as number;
    seen |= byte;
    result[i] = table[byte] as number;
  }
  return { data: result, isAscii: (seen & 0x80808080) === 0 };
}

/**
 * Code that maps words of four bytes, each by itself: bytes of 0x80 and more, which lie around the
 * rows and below nulls, stay as they are (by a table: become what the table says), and change nothing
 * in the other three.
 */
function mapBody(map: Uint8Array): string {
  const ranges = rangesOf(map);
  if (ranges.length > MAX_RANGES) {
    return `let seen = 0;
for (let i = 0; i < words.length; i++) {
  const word = words[i];
  seen |= word;
  result[i] = table[word & 255] | table[word >> 8 & 255] << 8 |
    table[word >> 16 & 255] << 16 | table[word >>> 24] << 24;
}
return seen;
`;
  }
  // The top bit of each byte, once it is cleared, tells in one sum whether a byte reaches a bound.
  const inEach = (byte: number) => Math.imul(byte, 0x01010101);
  const steps = ranges.map(({ first, last, by }) => {
    const reaches = (bound: number) => `low + ${inEach(0x80 - bound)}`;
    const inside = last === 127
      ? `(${reaches(first)}) & ascii`
      : `(${reaches(first)}) & ~(${reaches(last + 1)}) & ascii`;
    return `  flags = ${inside};
  mapped ${by > 0 ? "+" : "-"}= Math.imul(flags >>> 7, ${Math.abs(by)});
`;
  });
  return `let flags = 0, seen = 0;
for (let i = 0; i < words.length; i++) {
  const word = words[i];
  const low = word & ${inEach(0x7f)};
  const ascii = ~word & ${inEach(0x80)};
  let mapped = word;
  seen |= word;
${steps.join("")}  result[i] = mapped;
}
return seen;
`;
}

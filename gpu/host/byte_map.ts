import type { ByteMapKernel } from "../kernel/ir.ts";
import { rangesOf } from "../kernel/map_ranges.ts";
import type { CompiledKernel } from "./row_kernel.ts";

/** Ranges up to which four bytes are computed at once. */
const MAX_RANGES = 4;
/** Bytes before the text of the first row from which the result gets offsets of its own. */
const MAX_UNUSED_BYTES = 4096;

type MapRun = (words: Int32Array, result: Int32Array, table: Uint8Array) => void;

/**
 * Compiles a kernel that replaces bytes. The result shares the offsets and the validity of its
 * input.
 */
export function compileByteMap(kernel: ByteMapKernel): CompiledKernel {
  const body = mapBody(kernel.map);
  const run = new Function("words", "result", "table", body) as MapRun;
  const table = new Uint8Array(256);
  table.set(kernel.map);
  return {
    source: `function (words, result, table) {\n${body}}\n`,
    run(columns, numRows) {
      const [column] = columns;
      if (column === undefined || column.offsets === null) {
        throw new TypeError("Only text can be mapped byte by byte");
      }
      const first = column.offsets[0] ?? 0;
      const last = column.offsets[numRows] ?? first;
      const shared = first <= MAX_UNUSED_BYTES;
      const begin = shared ? 0 : first;
      return {
        ...column,
        data: mapBytes(run, table, column.data, begin, last),
        offsets: shared ? column.offsets : column.offsets.map((offset) => offset - begin),
      };
    },
  };
}

/** Maps `data[start, stop)`: by words where they lie at multiples of four, else by bytes. */
function mapBytes(
  run: MapRun,
  table: Uint8Array,
  data: Uint8Array,
  start: number,
  stop: number,
): Uint8Array {
  const size = stop - start;
  const place = data.byteOffset + start;
  const numWords = place % 4 === 0 ? size >> 2 : 0;
  const result = new Uint8Array(size);
  if (numWords > 0) {
    run(
      new Int32Array(data.buffer, place, numWords),
      new Int32Array(result.buffer, 0, numWords),
      table,
    );
  }
  for (let i = 4 * numWords; i < size; i++) {
    result[i] = table[data[start + i] as number] as number;
  }
  return result;
}

/** Code that maps words of four bytes below 0x80. */
function mapBody(map: Uint8Array): string {
  const ranges = rangesOf(map);
  if (ranges.length > MAX_RANGES) {
    return `for (let i = 0; i < words.length; i++) {
  const word = words[i];
  result[i] = table[word & 255] | table[word >> 8 & 255] << 8 |
    table[word >> 16 & 255] << 16 | table[word >>> 24] << 24;
}
`;
  }
  // The top bit of each byte is free: it tells in one sum whether a byte reaches a bound.
  const inEach = (byte: number) => Math.imul(byte, 0x01010101);
  const steps = ranges.map(({ first, last, by }) => {
    const reaches = (bound: number) => `word + ${inEach(0x80 - bound)}`;
    const inside = last === 127
      ? `(${reaches(first)}) & ${inEach(0x80)}`
      : `(${reaches(first)}) & ~(${reaches(last + 1)}) & ${inEach(0x80)}`;
    return `  flags = ${inside};
  mapped ${by > 0 ? "+" : "-"}= Math.imul(flags >>> 7, ${Math.abs(by)});
`;
  });
  return `let flags = 0;
for (let i = 0; i < words.length; i++) {
  const word = words[i];
  let mapped = word;
${steps.join("")}  result[i] = mapped;
}
`;
}

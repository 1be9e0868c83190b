/**
 * The executor that replaces bytes of ASCII text, four at a time. The result shares the offsets and
 * the validity of its input.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { knownText, rememberText } from "../../column/utf8.ts";
import type { CompiledByteMap } from "../kernels/compiled_kernel.ts";
import { type Executor, mappedText, operandsOf } from "./executor.ts";

/** The bytes before the text of the first row from which the result gets its own offsets. */
const MAX_UNUSED_BYTES = 4096;

/**
 * Replaces bytes. Treats text that was not inspected as ASCII: one pass that replaces and checks is
 * cheaper than two.
 */
export const byteMap: Executor = {
  fits(kernel, batch) {
    const { text, nullable, host } = batch;
    if (text !== null) {
      return host.codeFor(kernel, { ascii: text.ascii, nullable }).kind === "byteMap";
    }
    const column = mappedText(kernel, batch);
    return column !== undefined && knownText(column) === undefined;
  },
  run(kernel, batch) {
    const code = batch.host.codeFor(kernel, { ascii: true, nullable: batch.nullable });
    if (code.kind !== "byteMap") return null;
    const numRows = batch.rows.stop - batch.rows.start;
    const [input] = operandsOf(code, batch);
    const { column, isAscii } = mapColumn(code, input, numRows);
    if (batch.text === null) {
      if (!isAscii) return null;
      rememberText(input!, true);
      rememberText(column, true);
    }
    // The bytes before the first row were not checked and may be anything.
    return { kind: "column", column };
  },
};

/** Maps the text of a column, and returns whether all of it is ASCII. */
export function mapColumn(code: CompiledByteMap, column: HostColumn | undefined, numRows: number) {
  const offsets = column?.offsets ?? null;
  if (column === undefined || offsets === null) {
    throw new TypeError("Only text can be mapped byte by byte");
  }
  const first = offsets[0] ?? 0;
  const last = offsets[numRows] ?? first;
  const shared = first <= MAX_UNUSED_BYTES;
  const begin = shared ? 0 : first;
  const { data, isAscii } = mapBytes(code, column.data, begin, last);
  const moved = shared ? offsets : offsets.map((offset) => offset - begin);
  return { column: { ...column, data, offsets: moved }, isAscii };
}

interface MappedBytes {
  readonly data: Uint8Array;
  /** Whether each byte is below 0x80. */
  readonly isAscii: boolean;
}

/** Maps `data[start, stop)`: word by word if it starts at a multiple of four, else byte by byte. */
function mapBytes(
  { run, table }: CompiledByteMap,
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

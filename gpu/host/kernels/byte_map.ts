import type { HostColumn } from "../../column/column.ts";
import type { ByteMapRun } from "../../kernel/emit/host/calling_convention.ts";
import { emitJavaScriptByteMap } from "../../kernel/emit/javascript/byte_map.ts";
import { javaScriptSource } from "../../kernel/emit/javascript/emit.ts";
import type { ByteMapKernel } from "../../kernel/ir/ir.ts";
import type { WholeColumn } from "./kernel_result.ts";
import type { CompiledKernel } from "./row_kernel.ts";

/** Bytes before the text of the first row from which the result gets offsets of its own. */
const MAX_UNUSED_BYTES = 4096;

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
  const script = emitJavaScriptByteMap(kernel.map);
  const run = new Function(...script.parameters, script.body) as ByteMapRun;
  const table = new Uint8Array(256);
  table.set(kernel.map);
  const map = (column: HostColumn | undefined, numRows: number) => {
    const offsets = column?.offsets ?? null;
    if (column === undefined || offsets === null) {
      throw new TypeError("Only text can be mapped byte by byte");
    }
    const first = offsets[0] ?? 0;
    const last = offsets[numRows] ?? first;
    const shared = first <= MAX_UNUSED_BYTES;
    const begin = shared ? 0 : first;
    const { data, isAscii } = mapBytes(run, table, column.data, begin, last);
    const moved = shared ? offsets : offsets.map((offset) => offset - begin);
    return { result: { ...column, data, offsets: moved }, isAscii };
  };
  return {
    source: javaScriptSource(script),
    checks: () => [],
    // The bytes before the first row were not checked and may be anything.
    run: ([column], numRows) => ({ kind: "column", column: map(column, numRows).result }),
    tryRun(column, numRows) {
      const { result, isAscii } = map(column, numRows);
      return isAscii ? result : null;
    },
  };
}

interface MappedBytes {
  readonly data: Uint8Array;
  /** Whether each byte was below 0x80. */
  readonly isAscii: boolean;
}

/** Maps `data[start, stop)`: by words where they lie at multiples of four, else by bytes. */
function mapBytes(
  run: ByteMapRun,
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

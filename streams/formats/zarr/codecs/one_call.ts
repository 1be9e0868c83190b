/**
 * Runs a coder of node:zlib in one call, from one buffer to another.
 *
 * The functions of that module give new buffers, of which the collector knows little: it lets 100 MiB
 * of them be before it runs, on which no bound of memory can rest. The call is one that the module
 * uses itself and does not document. Where it is not there, or anything is unusual, the caller does it
 * by the functions.
 *
 * @module
 */

import type { Transform } from "node:stream";

/** The handle below a stream of node:zlib. */
interface CoderHandle {
  onerror?: unknown;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputStart: number,
    inputBytes: number,
    output: Uint8Array,
    outputStart: number,
    outputBytes: number,
  ): void;
}

/** That, and where the call leaves the bytes that are left of the output and of the input. */
interface CoderStream {
  readonly _handle?: Partial<CoderHandle> | null;
  readonly _writeState?: Uint32Array;
}

/**
 * The options of a stream for one call. Each makes a buffer of its own, 16 to 128 KiB, which the call
 * does not use, and of which the collector leaves 50 MiB in every thread: this is the smallest.
 */
export const oneCallOptions = { chunkSize: 64 } as const;

/**
 * Encodes or decodes all of `input` to `output`, and returns the number of bytes written. Undefined where it does not
 * fit, where the input is damaged or not all of it, and where there is no such call; what is in
 * `output` then does not matter. Ends the stream. `finish` is the flag by which the format is told
 * that no more comes. An encoder has ended where it leaves room; one of zstd, asked for more, would
 * begin anew.
 */
export function codeInOneCall(
  stream: Transform,
  { input, output, finish, isEncoder = false }: {
    readonly isEncoder?: boolean;
    readonly input: Uint8Array;
    readonly output: Uint8Array;
    readonly finish: number;
  },
): number | undefined {
  const { _handle: handle, _writeState: left } = stream as unknown as CoderStream;
  try {
    if (typeof handle?.writeSync !== "function" || left === undefined) return undefined;
    let isFailed = false;
    handle.onerror = () => isFailed = true;
    handle.writeSync(finish, input, 0, input.length, output, 0, output.length);
    const written = output.length - left[0]!;
    if (isFailed || left[1] !== 0) return undefined;
    if (isEncoder) return left[0]! > 0 ? written : undefined;
    // Whether the end was reached shows when there is room for more, and none comes.
    const more = new Uint8Array(1);
    handle.writeSync(finish, input, 0, 0, more, 0, 1);
    return isFailed || left[0] !== 1 ? undefined : written;
  } catch {
    return undefined;
  } finally {
    stream.destroy();
  }
}

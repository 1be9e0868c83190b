/**
 * Runs a coder of node:zlib in one call, from one buffer to another.
 *
 * The functions of that module return new buffers. The collector knows little of their size and lets
 * 100 MiB of them accumulate, which rules out a bound on memory. The call is one that the module uses
 * itself and does not document. Where it is missing, or the result is unusual, the caller falls back
 * on the functions.
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

/** The stream, with the array in which the call leaves the remaining bytes of output and input. */
interface CoderStream {
  readonly _handle?: Partial<CoderHandle> | null;
  readonly _writeState?: Uint32Array;
}

/**
 * The options of a stream for one call. Each stream allocates an unused buffer of 16 to 128 KiB by
 * default, of which the collector lets 50 MiB accumulate in every thread. This is the smallest size.
 */
export const oneCallOptions = { chunkSize: 64 } as const;

/**
 * Encodes or decodes all of `input` to `output`, and returns the number of bytes written. Returns
 * undefined where the output does not fit, where the input is damaged or incomplete, and where the call
 * is missing; `output` is then unspecified. Ends the stream. `finish` is the flag that marks the end of
 * the input. An encoder has ended if it leaves space in the output; called again, that of zstd would
 * begin a new frame.
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
    // The end is reached if there is space for more output and none comes.
    const more = new Uint8Array(1);
    handle.writeSync(finish, input, 0, 0, more, 0, 1);
    return isFailed || left[0] !== 1 ? undefined : written;
  } catch {
    return undefined;
  } finally {
    stream.destroy();
  }
}

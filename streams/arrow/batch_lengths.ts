/**
 * The rows of each batch of an Arrow file, as a text in the custom metadata of its footer: without it
 * a reader would have to read the header of each batch to know where a row lies.
 *
 * @module
 */

/** The key of the text in the footer. */
export const lengthsKey = "sluice.batch_lengths";

/** A longer text is not written: it would cost more than it saves. */
const mostBytes = 64 << 10;

/** Numbers of rows, in order: `65536*152,4096`. Undefined if the text would exceed 64 KiB. */
export function printLengths(lengths: readonly number[]): string | undefined {
  const parts: string[] = [];
  for (let start = 0, stop: number; start < lengths.length; start = stop) {
    stop = start + 1;
    while (stop < lengths.length && lengths[stop] === lengths[start]) stop++;
    parts.push(stop === start + 1 ? `${lengths[start]}` : `${lengths[start]}*${stop - start}`);
  }
  const text = parts.join();
  return text.length > mostBytes ? undefined : text;
}

/**
 * The numbers in a text; undefined if it is not one of `printLengths` or not of this many batches.
 */
export function parseLengths(text: string, numBatches: number): number[] | undefined {
  const lengths: number[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const [, rows, times = "1"] = /^(\d{1,10})(?:\*(\d{1,10}))?$/.exec(part) ?? [];
    const length = Number(rows);
    // An absent number is NaN.
    if (!(length < 2 ** 31) || lengths.length + Number(times) > numBatches) return undefined;
    for (let left = Number(times); left > 0; left--) lengths.push(length);
  }
  return lengths.length === numBatches ? lengths : undefined;
}

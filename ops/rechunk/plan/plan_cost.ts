/**
 * The cost of a plan, by a model of one machine and its disk: a time for every chunk that is read or
 * written, and a time for every byte.
 *
 * The fewest operations are not the fastest, since every stage moves all bytes once more. On a cluster
 * two stages took less than a third of the time of one, and three a little more than two.
 *
 * @module
 */

/** Seconds for each chunk that is read or written: ext4 creates and renames about 2,000 files a second. */
const secondsPerOperation = 1 / 2000;

/** Seconds for each byte that is read or written: 1 GB a second, between page cache and disk. */
const secondsPerByte = 1e-9;

/** Returns the seconds that a plan takes in the model. */
export function planSeconds(operations: number, bytes: number): number {
  return operations * secondsPerOperation + bytes * secondsPerByte;
}

/** Returns the bytes that are read and written: the whole array, from store to store. */
export function planBytes(arrayBytes: number, stages: number): number {
  return 2 * arrayBytes * (stages + 1);
}

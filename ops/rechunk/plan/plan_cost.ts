/**
 * What a plan costs by a model of one machine and its disk: a time for every chunk that is read or
 * written, and a time for every byte.
 *
 * Fewest operations is not fastest: every stage moves all bytes once more. On a cluster two stages
 * took less than a third of the time of one, and three a little more than two.
 *
 * @module
 */

/** Seconds for each chunk that is read or written: ext4 makes and renames about 2,000 files a second. */
const secondsPerOperation = 1 / 2000;

/** Seconds for each byte that is read or written: between the page cache and a disk, 1 GB a second. */
const secondsPerByte = 1e-9;

/** Seconds that a plan takes by the model. */
export function planSeconds(operations: number, bytes: number): number {
  return operations * secondsPerOperation + bytes * secondsPerByte;
}

/** Bytes that are read and written: all of the array, from store to store. */
export function planBytes(arrayBytes: number, stages: number): number {
  return 2 * arrayBytes * (stages + 1);
}

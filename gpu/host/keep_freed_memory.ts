/** @module */

/** Just below the largest block that raises the limits of glibc, 32 MiB. */
const BLOCK_BYTES = 31 << 20;

let isKept = false;

/**
 * Lets the allocator keep memory that is freed, up to 62 MiB, for the results of the next batches.
 * Else it goes back to the system batch by batch, and each page of a new result costs a fault of a
 * microsecond or more: 40 % of the pages of a stream of slices were new ones.
 *
 * glibc hands freed memory back from 128 KiB on, until a larger block is freed: then its limits are
 * that size and twice that size (M_MMAP_THRESHOLD in mallopt(3)). So one is freed at once; nobody
 * writes to it, so that it never takes memory. Other allocators do not mind.
 */
export function keepFreedMemory(): void {
  if (isKept) return;
  isKept = true;
  new ArrayBuffer(BLOCK_BYTES).transfer?.(0);
}

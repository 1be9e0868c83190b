/**
 * Copies boxes within a WebAssembly memory.
 *
 * @module
 */

import type { BoxCopy } from "../../column/boxes/box_copy.ts";
import { boxKernels, type CopyRuns } from "./kernels.ts";

/** The items along an axis, and the bytes between two of them on both sides. */
interface Axis {
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/** A box as runs of bytes that are dense on both sides, along some axes. */
interface Runs {
  readonly bytes: number;
  readonly axes: readonly Axis[];
}

/** The bytes of a run from which `memory.copy` is at least as fast as the loop. */
const MEMORY_BYTES = 256;
/** An axis that changes nothing. */
const ONCE: Axis = { length: 1, from: 0, to: 0 };

/** Copies boxes from one place of a memory to another. */
export class BoxCopier {
  readonly #kernels: ReturnType<typeof boxKernels>;

  constructor(memory: WebAssembly.Memory) {
    this.#kernels = boxKernels(memory);
  }

  /**
   * Copies a box. Offsets count from the start of the memory. The bytes read and the bytes written
   * must not overlap. A stride of 0 reads an item repeatedly, which fills a box with one item.
   * Throws a RuntimeError for places outside of the memory.
   */
  copy(copy: BoxCopy): void {
    if (copy.shape.includes(0)) return;
    const { bytes, axes } = runsOf(copy);
    const inner = axes.at(-1) ?? ONCE;
    const rows = axes.at(-2) ?? ONCE;
    const copyRuns = this.#kernelFor(bytes);
    forEachPlace(axes.slice(0, -2), copy.from.offset, copy.to.offset, (from, to) => {
      copyRuns(
        from,
        to,
        bytes,
        inner.length,
        inner.from,
        inner.to,
        rows.length,
        rows.from,
        rows.to,
      );
    });
  }

  /** Returns the fastest kernel for runs of a number of bytes. */
  #kernelFor(bytes: number): CopyRuns {
    const kernels = this.#kernels;
    switch (bytes) {
      case 1:
        return kernels.copy1;
      case 2:
        return kernels.copy2;
      case 4:
        return kernels.copy4;
      case 8:
        return kernels.copy8;
      case 16:
        return kernels.copy16;
    }
    if (bytes < 4) return kernels.copyTo4;
    if (bytes < 8) return kernels.copyTo8;
    if (bytes < 16) return kernels.copyTo16;
    return bytes < MEMORY_BYTES ? kernels.copyLong : kernels.copyMemory;
  }
}

/** Returns the longest runs of a box, with the fewest axes. */
function runsOf({ itemBytes, shape, from, to }: BoxCopy): Runs {
  let bytes = itemBytes;
  const axes: Axis[] = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const next = { length: shape[axis]!, from: from.strides[axis]!, to: to.strides[axis]! };
    const inner = axes[0];
    if (next.length === 1) continue;
    if (inner === undefined && next.from === bytes && next.to === bytes) bytes *= next.length;
    else if (inner !== undefined && continues(next, inner)) {
      axes[0] = { ...inner, length: inner.length * next.length };
    } else axes.unshift(next);
  }
  return { bytes, axes };
}

/** Whether the items of an outer axis continue those of the inner one without a gap. */
function continues(outer: Axis, inner: Axis): boolean {
  return outer.from === inner.from * inner.length && outer.to === inner.to * inner.length;
}

/** Calls a function for every place along some axes; the last axis varies fastest. */
function forEachPlace(
  [axis, ...inner]: readonly Axis[],
  from: number,
  to: number,
  visit: (from: number, to: number) => void,
): void {
  if (axis === undefined) return visit(from, to);
  for (let at = 0; at < axis.length; at++) {
    forEachPlace(inner, from + at * axis.from, to + at * axis.to, visit);
  }
}

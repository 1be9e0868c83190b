/**
 * The function with which kernels of lists reverse the items of a row.
 *
 * @module
 */

/** The most bytes that a loop reverses faster than the engine's own method. */
const MAX_LOOP = 64;

/**
 * Reverses the order of the items [first, stop) in place. `ends[k]` is the start of item k in
 * `data` and the end of item k - 1, so `ends[stop]` is the end of the last item. It reverses all
 * bytes as a whole, then those of each item again.
 */
export function reverseItems(
  data: Uint8Array,
  ends: Int32Array,
  first: number,
  stop: number,
): void {
  if (stop - first < 2) return;
  const start = ends[first]!;
  const sum = start + ends[stop]!;
  reverseBytes(data, start, sum - start);
  for (let low = first, high = stop; low <= high; low++, high--) {
    const end = sum - ends[low]!;
    ends[low] = sum - ends[high]!;
    ends[high] = end;
  }
  for (let item = first; item < stop; item++) reverseBytes(data, ends[item]!, ends[item + 1]!);
}

function reverseBytes(data: Uint8Array, start: number, stop: number): void {
  if (stop - start > MAX_LOOP) {
    data.subarray(start, stop).reverse();
    return;
  }
  for (let low = start, high = stop - 1; low < high; low++, high--) {
    const byte = data[low]!;
    data[low] = data[high]!;
    data[high] = byte;
  }
}

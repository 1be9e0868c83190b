/**
 * The arithmetic of slices: Python's `start:stop:step` with a positive step.
 *
 * @module
 */

/** A slice as given: negative positions count from the end, undefined is open. */
export interface RowSlice {
  readonly start: number;
  readonly stop: number | undefined;
  /** At least 1. */
  readonly step: number;
}

/**
 * A checked slice. A position that is not an integer and a step of 0 are RangeErrors; a negative
 * step is one as well, because a stream cannot be read backwards.
 */
export function rowSlice(
  start: number | null | undefined,
  stop: number | null | undefined,
  step: number | null | undefined,
): RowSlice {
  const slice = { start: start ?? 0, stop: stop ?? undefined, step: step ?? 1 };
  for (const [name, value] of Object.entries(slice)) {
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw new RangeError(`The ${name} of a slice is an integer, not ${value}`);
    }
  }
  if (slice.step === 0) throw new RangeError("The step of a slice cannot be 0");
  if (slice.step < 0) throw new RangeError("The step of a slice of rows must be positive");
  return Object.freeze(slice);
}

/** A slice by positions from the front: 0 <= start <= stop. */
interface ResolvedSlice extends RowSlice {
  readonly stop: number;
}

/** The same rows of `numRows` rows by positions from the front, stop <= numRows. */
export function resolveSlice(slice: RowSlice, numRows: number): ResolvedSlice {
  const clamp = (position: number) =>
    Math.min(Math.max(position < 0 ? position + numRows : position, 0), numRows);
  const start = clamp(slice.start);
  const stop = slice.stop === undefined ? numRows : Math.max(clamp(slice.stop), start);
  return { start, stop, step: slice.step };
}

/** The number of rows that a slice takes of `numRows` rows. */
export function sliceLength(slice: RowSlice, numRows: number): number {
  const { start, stop, step } = resolveSlice(slice, numRows);
  return Math.ceil((stop - start) / step);
}

/** Whether the number of rows decides which ones a slice takes. */
export function countsFromEnd({ start, stop }: RowSlice): boolean {
  return start < 0 || (stop ?? 0) < 0;
}

/** Whether a slice takes no row, however many there are. */
export function isEmptySlice({ start, stop }: RowSlice): boolean {
  if (stop === undefined) return false;
  return stop === 0 || (start < 0 === stop < 0 && start >= stop);
}

/**
 * One slice that takes what `second` takes of what `first` takes; undefined where the number of
 * rows would have to be known.
 */
export function composeSlices(first: RowSlice, second: RowSlice): RowSlice | undefined {
  const counted = [first.start, first.stop ?? 0, second.start, second.stop ?? 0];
  if (counted.some((position) => position < 0)) return undefined;
  const place = (position: number) => first.start + position * first.step;
  const bounds = [first.stop, second.stop === undefined ? undefined : place(second.stop)]
    .filter((bound) => bound !== undefined);
  return Object.freeze({
    start: place(second.start),
    stop: bounds.length === 0 ? undefined : Math.min(...bounds),
    step: first.step * second.step,
  });
}

/** As a person writes it: `-1000:`, `10:20:2`. */
export function printSlice({ start, stop, step }: RowSlice): string {
  return `${start === 0 ? "" : start}:${stop ?? ""}${step === 1 ? "" : `:${step}`}`;
}

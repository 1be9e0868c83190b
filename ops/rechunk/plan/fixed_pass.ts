/**
 * The passes of a plan. Each reads an array box by box as chunks of one grid, and writes every box as
 * chunks of another. This file alone computes the memory of a pass.
 *
 * @module
 */

import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { RechunkPlan } from "./rechunk_plan.ts";

/** A pass. Its lengths count items. */
export interface Pass {
  readonly shape: readonly number[];
  readonly itemBytes: number;
  /** The box in memory: multiples of `output`, or as long as the array. */
  readonly box: readonly number[];
  /** The chunks that are read. */
  readonly input: readonly number[];
  /** The chunks that are written. */
  readonly output: readonly number[];
  /** The layout of a box in memory. */
  readonly layout: PassLayout;
}

/**
 * The layout of a box in memory. The chunks of one side are buffered for the whole box, one after
 * another, each with its padding. Those of the other side pass through one at a time: over the stage,
 * which is memory of its own, or "straight" to or from a buffered chunk, in which all their bytes are
 * contiguous.
 */
interface PassLayout {
  /** The side whose chunks are buffered for the whole box. */
  readonly buffered: "input" | "output";
  readonly isStraight: boolean;
  /** The number of chunks of the buffered side, along each axis of the largest box. */
  readonly counts: readonly number[];
  readonly bufferedBytes: number;
  /** The size of the stage; 0 if the other side is straight. */
  readonly stageBytes: number;
}

/** The grids at both ends of a plan, on which its passes depend. */
interface PlanEnds {
  /** The grid of the chunks that are read. */
  readonly source: Grid;
  /** The grid of the chunks or shards that are written whole. */
  readonly target: Grid;
  readonly itemBytes: number;
}

/**
 * Returns the passes of a plan, one more than its intermediate stores. Each has the fastest layout
 * within `limit` bytes, or the smallest one where none fits. Throws a RangeError for a plan whose boxes
 * do not consist of whole output chunks.
 */
export function passesOf(
  plan: RechunkPlan,
  { source, target, itemBytes }: PlanEnds,
  limit: number,
): Pass[] {
  const { shape } = source;
  const { stages } = plan;
  const boxes = [stages[0]?.read ?? plan.direct, ...stages.map(({ write }) => write)];
  const chunks = [source.chunk, ...stages.map(({ intermediate }) => intermediate), target.chunk];
  return boxes.map((box, pass) => {
    if (box === undefined) {
      throw new RangeError("The plan has neither stages nor a box to go directly");
    }
    const sides = { input: chunks[pass]!, output: chunks[pass + 1]! };
    for (const lengths of [box, sides.output]) checkLengths(lengths, shape);
    if (!holdsWhole(sides.output, box, shape)) {
      throw new RangeError(
        `Boxes of ${box} items are not made of whole chunks of ${sides.output}`,
      );
    }
    const grids = { shape, itemBytes, box, ...sides };
    return { ...grids, layout: layoutOf(grids, limit) };
  });
}

/** Returns the bytes of memory for the boxes of all passes, which use the same memory in turn. */
export function boxBytes(passes: readonly Pass[]): number {
  return Math.max(...passes.map(({ layout }) => layoutBytes(layout)));
}

function layoutOf(pass: Omit<Pass, "layout">, limit: number): PassLayout {
  const { shape, box, input } = pass;
  const layouts = [
    ...(holdsWhole(input, box, shape) ? [buffering("input", pass)] : []),
    buffering("output", pass),
  ];
  const fitting = layouts.filter((layout) => layoutBytes(layout) <= limit);
  const [best] = fitting.length === 0
    ? layouts.toSorted((a, b) => layoutBytes(a) - layoutBytes(b))
    : fitting.toSorted((a, b) => copyCost(a, pass) - copyCost(b, pass));
  return best!;
}

function layoutBytes({ bufferedBytes, stageBytes }: PassLayout): number {
  return bufferedBytes + stageBytes;
}

/** The number of bytes that main memory transfers at once. */
const LINE_BYTES = 64;
/** The number of bytes of a stage that stays in the caches of a processor. */
const CACHED_BYTES = 4 << 20;

/**
 * Estimates the cost of a byte between the stage and a buffered chunk. It rises where the stage
 * exceeds the caches, and where contiguous items of a chunk on the stage are shorter than a cache line
 * in the other chunk. In measurements the choice of the buffered side made a difference of 2 in a
 * combine of the measured plan, and of 10 from slices of one axis to slices of another.
 */
function copyCost(
  { buffered, isStraight, stageBytes }: PassLayout,
  { itemBytes, input, output }: Omit<Pass, "layout">,
): number {
  if (isStraight) return 0;
  const [kept, passing] = buffered === "input" ? [input, output] : [output, input];
  let runBytes = itemBytes;
  for (let axis = kept.length - 1; axis >= 0; axis--) {
    runBytes *= Math.min(kept[axis]!, passing[axis]!);
    if (passing[axis]! < kept[axis]!) break;
  }
  return Math.max(1, LINE_BYTES / runBytes) + (stageBytes > CACHED_BYTES ? 1 : 0);
}

function buffering(
  buffered: "input" | "output",
  { shape, itemBytes, box, input, output }: Omit<Pass, "layout">,
): PassLayout {
  const [kept, passing] = buffered === "input" ? [input, output] : [output, input];
  const counts = box.map((length, axis) => Math.ceil(Math.min(length, shape[axis]!) / kept[axis]!));
  const isStraight = isDenseIn(passing, kept);
  return {
    buffered,
    isStraight,
    counts,
    bufferedBytes: product(counts) * product(kept) * itemBytes,
    stageBytes: isStraight ? 0 : product(passing) * itemBytes,
  };
}

/** Whether boxes consist of whole chunks, except at the end of the array. */
function holdsWhole(
  chunk: readonly number[],
  box: readonly number[],
  shape: readonly number[],
): boolean {
  return box.every((length, axis) => length >= shape[axis]! || length % chunk[axis]! === 0);
}

/** Whether the bytes of each small chunk are contiguous in one of the large chunks. */
function isDenseIn(small: readonly number[], large: readonly number[]): boolean {
  let axis = small.length - 1;
  while (axis >= 0 && small[axis] === large[axis]) axis--;
  if (axis < 0) return true;
  return large[axis]! % small[axis]! === 0 && small.slice(0, axis).every((length) => length === 1);
}

function checkLengths(lengths: readonly number[], shape: readonly number[]): void {
  const isSound = lengths.length === shape.length &&
    lengths.every((length) => Number.isSafeInteger(length) && length > 0);
  if (!isSound) {
    throw new RangeError(`A box of ${lengths} items does not fit an array of ${shape.length} axes`);
  }
}

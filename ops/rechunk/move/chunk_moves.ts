/**
 * Moves single chunks between their storage and a box in memory: the work of every thread of a pass.
 *
 * @module
 */

import {
  type Box,
  boxShape,
  chunkBox,
  chunksOver,
  type Grid,
  intersect,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { Arena } from "./arena.ts";
import type { ChunkInput, ChunkOutput } from "../store/chunk_sides.ts";
import {
  type ArenaChunks,
  chunkOffset,
  copyBox,
  fillBox,
  fillPadding,
  itemOffset,
  placedChunk,
} from "./arena_chunks.ts";
import type { Pass } from "../plan/fixed_pass.ts";

/** A pass, and the resources of a thread for it. */
export interface ChunkMover {
  readonly pass: Pass;
  readonly input: ChunkInput;
  readonly output: ChunkOutput;
  readonly arena: Arena;
  /** The offset of the fill value in the arena. */
  readonly fill: number;
  /** The number of the thread. Each thread has its own stage, after the boxes and one after another. */
  readonly thread: number;
  /** The chunk on the stage, which may be from an earlier box. */
  readonly staged: StagedInput;
}

/** The last chunk that was read to the stage; a box that ends within a chunk shares it with the next. */
interface StagedInput {
  /** Its index; undefined before the first chunk. */
  index: string | undefined;
  isThere: boolean;
}

/** One box of a pass, while it is moved. */
export interface MovingBox extends ChunkMover {
  readonly box: Box;
  readonly inputGrid: Grid;
  readonly outputGrid: Grid;
  readonly buffered: ArenaChunks;
}

/** Returns a box with its layout in memory. */
export function movingBox(mover: ChunkMover, box: Box): MovingBox {
  const { shape, itemBytes, layout, ...pass } = mover.pass;
  const chunk = pass[layout.buffered];
  const first = box.start.map((start, axis) => Math.floor(start / chunk[axis]!));
  return {
    ...mover,
    box,
    inputGrid: { shape, chunk: pass.input },
    outputGrid: { shape, chunk: pass.output },
    buffered: { chunk, first, counts: layout.counts, itemBytes, offset: 0 },
  };
}

/** Reads a chunk into the box; false if it is missing. */
export async function bringInput(moving: MovingBox, index: readonly number[]): Promise<boolean> {
  const { pass, inputGrid, box, buffered, arena } = moving;
  const offset = placeOf(moving, "input", index);
  if (!await readInput(moving, index, offset)) return false;
  if (isStaged(pass)) {
    const { itemBytes } = pass;
    const other = placedChunk(offset, { chunk: inputGrid.chunk, index, itemBytes });
    const shared = intersect(chunkBox(inputGrid, index), box)!;
    copyBox(arena, buffered, { box: shared, other, way: "intoChunks" });
  }
  return true;
}

/** Reads a chunk, unless it is on the stage; false if it is missing. */
async function readInput(
  { pass, input, arena, staged }: MovingBox,
  index: readonly number[],
  offset: number,
): Promise<boolean> {
  const place = index.join();
  if (isStaged(pass) && staged.index === place) return staged.isThere;
  const chunkBytes = product(pass.input) * pass.itemBytes;
  const into = arena.bytes.subarray(offset, offset + chunkBytes);
  // A failed read leaves the stage empty.
  staged.index = undefined;
  const isThere = await input.readChunk(index, into);
  if (isStaged(pass)) Object.assign(staged, { index: place, isThere });
  return isThere;
}

/** Whether chunks are read to the stage first. */
function isStaged({ layout }: Pass): boolean {
  return layout.buffered === "output" && !layout.isStraight;
}

/**
 * Writes a chunk of the box. A chunk whose items are all `missing` from the input is skipped, unless
 * `writesMissing`.
 */
export async function writeOutput(
  moving: MovingBox,
  index: readonly number[],
  { missing, writesMissing }: {
    readonly missing: ReadonlySet<string>;
    readonly writesMissing: boolean;
  },
): Promise<void> {
  const { pass, inputGrid, output, outputGrid, buffered, arena, fill } = moving;
  const { layout, itemBytes } = pass;
  const box = chunkBox(outputGrid, index);
  const inputs = missing.size === 0 ? [] : [...chunksOver(inputGrid, box)];
  const gaps = inputs.filter((input) => missing.has(input.join()));
  if (gaps.length > 0 && gaps.length === inputs.length && !writesMissing) return;
  const offset = placeOf(moving, "output", index);
  const chunk = placedChunk(offset, { chunk: outputGrid.chunk, index, itemBytes });
  if (layout.buffered === "input" && !layout.isStraight) {
    copyBox(arena, buffered, { box, other: chunk, way: "outOfChunks" });
  }
  for (const gap of gaps) {
    fillBox(arena, intersect(chunkBox(inputGrid, gap), box)!, { chunk, fill, itemBytes });
  }
  fillPadding(arena, outputGrid, { index, chunk, fill, itemBytes });
  const chunkBytes = product(outputGrid.chunk) * itemBytes;
  await output.writeChunk(index, arena.bytes.subarray(offset, offset + chunkBytes));
}

/** Returns memory for a chunk of the output, which holds nothing before the box is read. */
export function outputMemory(moving: MovingBox, index: readonly number[]): Uint8Array {
  const offset = placeOf(moving, "output", index);
  const chunkBytes = product(moving.outputGrid.chunk) * moving.pass.itemBytes;
  return moving.arena.bytes.subarray(offset, offset + chunkBytes);
}

/** Returns the offset of a chunk in the arena: in the buffered chunks, or on the stage. */
function placeOf(
  { pass, buffered, thread }: MovingBox,
  side: "input" | "output",
  index: readonly number[],
): number {
  const { layout } = pass;
  if (layout.buffered === side) return chunkOffset(buffered, index);
  return layout.isStraight
    ? itemOffset(buffered, index.map((at, axis) => at * pass[side][axis]!))
    : layout.bufferedBytes + thread * layout.stageBytes;
}

/** Returns the number of bytes of those items of a chunk that are in the box. */
export function bytesInBox({ pass, box }: MovingBox, chunk: Box): number {
  return product(boxShape(intersect(chunk, box)!)) * pass.itemBytes;
}

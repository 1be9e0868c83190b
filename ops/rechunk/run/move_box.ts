/**
 * Moves one box of a pass: reads the chunks that it lies in, and writes those that it consists of.
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
} from "../../../streams/chunks/grid.ts";
import type { Arena } from "./arena.ts";
import type { ChunkInput, ChunkOutput } from "./chunk_sides.ts";
import {
  chunkOffset,
  copyHeld,
  fillBox,
  fillPadding,
  type HeldChunks,
  itemOffset,
  placedChunk,
} from "./held_chunks.ts";
import type { Pass } from "./pass.ts";

/** A pass, and what it is between. */
export interface RunningPass {
  readonly pass: Pass;
  readonly input: ChunkInput;
  readonly output: ChunkOutput;
  readonly arena: Arena;
  /** Where an item of fill values lies in the arena. */
  readonly fill: number;
  /** Whether chunks may be there from an earlier run: they are not written again. */
  readonly mayHaveChunks: boolean;
  /** What lies on the stage, from this box or the one before. */
  readonly staged: StagedInput;
  /** Called with the bytes of a box of items that was read or written, or did not have to be. */
  moved(bytes: number): void | Promise<void>;
}

/** The last chunk that was read to the stage; boxes that end within a chunk share it with the next. */
export interface StagedInput {
  /** Its place; undefined before there is any. */
  index: string | undefined;
  isThere: boolean;
}

/** One box of a pass, while it is moved. */
interface MovingBox extends RunningPass {
  readonly box: Box;
  readonly inputGrid: Grid;
  readonly outputGrid: Grid;
  readonly held: HeldChunks;
  /** The chunks that are missing from the input, by their places. */
  readonly missing: Set<string>;
}

/**
 * Moves a box. A chunk of which all items are missing is not written. Nothing is read where all chunks
 * were written before.
 */
export async function moveBox(running: RunningPass, box: Box): Promise<void> {
  const { shape, itemBytes, layout, ...pass } = running.pass;
  const chunk = pass[layout.held];
  const first = box.start.map((start, axis) => Math.floor(start / chunk[axis]!));
  const moving: MovingBox = {
    ...running,
    box,
    inputGrid: { shape, chunk: pass.input },
    outputGrid: { shape, chunk: pass.output },
    held: { chunk, first, counts: layout.counts, itemBytes, offset: 0 },
    missing: new Set(),
  };
  const outputs = [...chunksOver(moving.outputGrid, box)];
  const there = await chunksThere(running, outputs);
  if (there.size === outputs.length) return running.moved(2 * bytesOf(moving, box));
  await readInputs(moving);
  for (const index of outputs) {
    if (!there.has(index.join())) await writeOutput(moving, index);
    await running.moved(bytesOf(moving, chunkBox(moving.outputGrid, index)));
  }
}

/** Those of some chunks that were written by an earlier run. */
async function chunksThere(
  { output, mayHaveChunks }: RunningPass,
  chunks: readonly (readonly number[])[],
): Promise<Set<string>> {
  const there = new Set<string>();
  if (!mayHaveChunks) return there;
  for (const index of chunks) if (await output.hasChunk(index)) there.add(index.join());
  return there;
}

async function readInputs(moving: MovingBox): Promise<void> {
  const { pass, inputGrid, box, held, arena, missing } = moving;
  const { itemBytes } = pass;
  for (const index of chunksOver(inputGrid, box)) {
    const offset = placeOf(moving, "input", index);
    const shared = intersect(chunkBox(inputGrid, index), box)!;
    if (!await readInput(moving, index, offset)) missing.add(index.join());
    else if (isStaged(pass)) {
      const other = placedChunk(offset, { chunk: inputGrid.chunk, index, itemBytes });
      copyHeld(arena, held, { box: shared, other, way: "intoChunks" });
    }
    await moving.moved(bytesOf(moving, shared));
  }
}

/** Reads a chunk, unless it is on the stage; false where it is missing. */
async function readInput(
  { pass, input, arena, staged }: MovingBox,
  index: readonly number[],
  offset: number,
): Promise<boolean> {
  const place = index.join();
  if (isStaged(pass) && staged.index === place) return staged.isThere;
  const chunkBytes = product(pass.input) * pass.itemBytes;
  const into = arena.bytes.subarray(offset, offset + chunkBytes);
  const isThere = await input.readChunk(index, into);
  if (isStaged(pass)) Object.assign(staged, { index: place, isThere });
  return isThere;
}

/** Whether chunks that are read go to the stage first. */
function isStaged({ layout }: Pass): boolean {
  return layout.held === "output" && !layout.isStraight;
}

async function writeOutput(moving: MovingBox, index: readonly number[]): Promise<void> {
  const { pass, inputGrid, output, outputGrid, held, arena, missing, fill } = moving;
  const { layout, itemBytes } = pass;
  const box = chunkBox(outputGrid, index);
  const inputs = missing.size === 0 ? [] : [...chunksOver(inputGrid, box)];
  const gaps = inputs.filter((input) => missing.has(input.join()));
  if (gaps.length > 0 && gaps.length === inputs.length) return;
  const offset = placeOf(moving, "output", index);
  const chunk = placedChunk(offset, { chunk: outputGrid.chunk, index, itemBytes });
  if (layout.held === "input" && !layout.isStraight) {
    copyHeld(arena, held, { box, other: chunk, way: "outOfChunks" });
  }
  for (const gap of gaps) {
    fillBox(arena, intersect(chunkBox(inputGrid, gap), box)!, { chunk, fill, itemBytes });
  }
  fillPadding(arena, outputGrid, { index, chunk, fill, itemBytes });
  const chunkBytes = product(outputGrid.chunk) * itemBytes;
  await output.writeChunk(index, arena.bytes.subarray(offset, offset + chunkBytes));
}

/** Where a chunk lies in the arena: among those that are kept, in one of them, or on the stage. */
function placeOf(
  { pass, held }: MovingBox,
  side: "input" | "output",
  index: readonly number[],
): number {
  const { layout } = pass;
  if (layout.held === side) return chunkOffset(held, index);
  return layout.isStraight
    ? itemOffset(held, index.map((at, axis) => at * pass[side][axis]!))
    : layout.heldBytes;
}

function bytesOf({ pass }: RunningPass, box: Box): number {
  return product(boxShape(box)) * pass.itemBytes;
}

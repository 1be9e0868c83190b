/**
 * Describes the sides of passes as plain data, so that other threads can open them.
 *
 * @module
 */

import type { ZarrMetadata } from "../../../streams/formats/zarr/metadata/array_spec.ts";
import {
  type AnyArray,
  type FixedArray,
  isFixed,
} from "../../../streams/formats/zarr/items/array.ts";
import { openReader, openWriter } from "../../../streams/formats/zarr/store/open_array.ts";
import { ShownArray } from "../../../streams/formats/zarr/store/stored_array.ts";
import type { Grid } from "../../../streams/formats/zarr/grid/grid.ts";
import type { ChunkInput, ChunkOutput } from "../store/chunk_sides.ts";
import { FixedStore } from "../store/fixed_store.ts";

/** The storage of a side: a Zarr array in a folder, or an intermediate store. */
export type SideInfo = ArraySide | StoreSide;

interface ArraySide {
  readonly kind: "array";
  readonly name: string;
  readonly metadata: ZarrMetadata;
}

interface StoreSide {
  readonly kind: "store";
  readonly path: string;
  readonly grid: Grid;
  readonly array: FixedArray;
  readonly isDurable: boolean;
}

/** Returns the side of an array; undefined for an array that only this thread has. */
export function arraySide(array: FixedArray): ArraySide | undefined {
  if (!(array instanceof ShownArray)) return undefined;
  return { kind: "array", name: array.name, metadata: array.metadata };
}

/** Returns the side of an intermediate store. */
export function storeSide(
  path: string,
  array: FixedArray,
  { grid, isDurable }: { readonly grid: Grid; readonly isDurable: boolean },
): StoreSide {
  const { name, writeGrid, dataType, itemBytes, fill, dimensionNames, attributes } = array;
  const info = { name, grid: array.grid, writeGrid, dataType, itemBytes, fill };
  return { kind: "store", path, grid, array: { ...info, dimensionNames, attributes }, isDurable };
}

/** Opens a side for reading. */
export async function openInput(side: SideInfo): Promise<ChunkInput> {
  if (side.kind === "store") return new FixedStore(side.path, side);
  return fixed(await openReader(side.name, side.metadata));
}

/** Opens a side for writing. */
export async function openOutput(
  side: SideInfo,
  options: { readonly isDurable: boolean },
): Promise<ChunkOutput> {
  if (side.kind === "store") return new FixedStore(side.path, side);
  return fixed(await openWriter(side.name, side.metadata, options));
}

/** Returns an array of items of fixed size; throws for others, which one thread moves alone. */
function fixed<A extends AnyArray>(array: A): Extract<A, FixedArray> {
  if (isFixed(array)) return array;
  throw new TypeError(`${array.name} has items of a variable size`);
}

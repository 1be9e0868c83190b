/**
 * Opens a store and plans the rechunking of its arrays.
 *
 * @module
 */

import { planArrays } from "../../ops/rechunk/plan/plan_arrays.ts";
import type { ItemSizes } from "../../ops/rechunk/plan/item_sizes.ts";
import { isFixed } from "../../streams/formats/zarr/items/array.ts";
import { arrayLike } from "../../streams/formats/zarr/store/create_array.ts";
import type { StoredReader, StoredWriter } from "../../streams/formats/zarr/store/open_array.ts";
import {
  openZarr,
  unstoredText,
  type ZarrNode,
} from "../../streams/formats/zarr/store/open_zarr.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { type ChunkLengths, chunkOf, noArrayFor } from "../words/chunk_lengths.ts";
import type { Planned } from "./grid_rows.ts";
import { asMistakes, type Limits } from "./limits.ts";

/** An array that gets other chunks, with a writer for the new array, which does not exist yet. */
export interface PlannedArray extends Planned {
  readonly name: string;
  /** Its path in the store; "" if the store is the array. */
  readonly path: string;
  readonly reader: StoredReader;
  readonly writer: StoredWriter;
  /** The sizes of some of its chunks, if items have a variable size. */
  readonly sizes?: ItemSizes;
}

/** A store, and the plans for its arrays. */
export interface StorePlan {
  readonly node: ZarrNode;
  readonly rechunked: readonly PlannedArray[];
  /** Paths of the arrays that keep their chunks. */
  readonly copied: readonly string[];
  /** A line for each array that cannot be rechunked, and one for missing arrays. */
  readonly warnings: readonly string[];
}

/** A request for the plans of a store. */
interface StoreTask {
  readonly path: string;
  /** The path of the result. */
  readonly output: string;
  readonly to: ChunkLengths;
  readonly limits: Limits;
}

/** Opens a store, finds the arrays that `to` applies to, and plans for each. Writes nothing. */
export async function planStore(task: StoreTask): Promise<StorePlan> {
  const { path, to } = task;
  const node = await openZarr(path);
  const { members, others } = membersOf(node);
  const rechunked: PlannedArray[] = [];
  for (const member of members) {
    const { shape, chunk } = member.array.grid;
    const wanted = chunkOf(to, { shape, chunk, dimensionNames: member.array.dimensionNames });
    // In a group, a single item has no chunks to change.
    if (wanted === undefined || shape.length === 0 && node.kind === "group") continue;
    rechunked.push(await planMember(member, wanted, task));
  }
  if (rechunked.length === 0) {
    const [other] = others;
    if (members.length === 0 && other !== undefined) throw other.member;
    const arrays = members.map(({ path: place, array: { grid, dimensionNames } }) =>
      [place === "" ? path : place, { ...grid, dimensionNames }] as const
    );
    const mistake = noArrayFor(to, path, new Map(arrays));
    // The user may have meant the unsupported array.
    throw other === undefined
      ? mistake
      : new CommandError(`${mistake.message}; ${other.member.message}`);
  }
  const paths = new Set(rechunked.map(({ path }) => path));
  const kept = members.filter(({ path }) => !paths.has(path));
  return {
    node,
    rechunked,
    copied: [...kept, ...others].map(({ path }) => path).sort(),
    warnings: [
      ...others.map(({ member }) => `${member.message}; it stays as it is`),
      ...unstoredWarnings(node),
    ],
  };
}

function unstoredWarnings(node: ZarrNode): string[] {
  if (node.kind !== "group") return [];
  const unstored = unstoredText(node);
  return unstored === undefined ? [] : [`${node.name}: ${unstored}`];
}

/** An array of a store. */
interface Member {
  readonly path: string;
  readonly array: StoredReader;
}

/** Returns the arrays of a store, those with fixed-size items first, and the unsupported ones. */
function membersOf(node: ZarrNode) {
  const group = node.kind === "group" ? node : { arrays: [], others: [] };
  const arrays = node.kind === "array" ? [{ path: "", member: node.array }] : group.arrays;
  const members = arrays.map(({ path, member }): Member => ({ path, array: member }));
  // Plans for fixed-size items always depend on the memory limit. Once they are done, a resumed run may
  // change it.
  members.sort((one, other) => Number(isFixed(other.array)) - Number(isFixed(one.array)));
  return { members, others: group.others };
}

async function planMember(
  { path, array: reader }: Member,
  chunk: readonly number[],
  { output, limits }: StoreTask,
): Promise<PlannedArray> {
  const place = path === "" ? output : `${output}/${path}`;
  const { name, grid, dataType, dimensionNames } = reader;
  const writer = await arrayLike(place, reader.metadata, { chunk });
  const ends = { source: reader, target: writer };
  const { itemBytes, ...planned } = await asMistakes(() => planArrays({ ...ends, ...limits }));
  return {
    ...{ path, reader, writer, name, dimensionNames, ...planned },
    ...(isFixed(reader) ? {} : { itemType: dataType === "string" ? "text" : "bytes" }),
    shape: grid.shape,
    itemsize: itemBytes,
    source: grid.chunk,
    target: writer.writeGrid.chunk,
  };
}

/** Returns the only array of a store. Throws a CommandError if there are several; `what` names the option. */
export function onlyArray<T extends { readonly name?: string }>(
  arrays: readonly T[],
  what: string,
): T {
  const [array, ...others] = arrays as [T, ...T[]];
  if (others.length === 0) return array;
  const names = arrays.slice(0, 8).map(({ name }) => name).join(", ");
  throw new CommandError(`${what} needs a single array; choose one of ${names}`);
}

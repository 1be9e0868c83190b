/**
 * Opens a store and plans what becomes of its arrays.
 *
 * @module
 */

import type { RechunkPlan } from "../../ops/rechunk/plan/rechunk_plan.ts";
import { planForArrays } from "../../ops/rechunk/run/plan_for_arrays.ts";
import { FileError } from "../../streams/errors.ts";
import type { StoredZarrReader } from "../../streams/zarr/chunk_reader.ts";
import type { StoredZarrWriter } from "../../streams/zarr/chunk_writer.ts";
import { zarrArrayLike } from "../../streams/zarr/create_zarr_array.ts";
import { type GroupMember, openZarr, type ZarrNode } from "../../streams/zarr/open_zarr.ts";
import { CommandError } from "../arguments.ts";
import { type ChunkLengths, chunkOf, noArrayFor } from "./chunk_lengths.ts";
import type { Planned } from "./grid_rows.ts";
import { asMistakes, type Limits } from "./limits.ts";

/** An array that gets other chunks. */
export interface PlannedArray extends Planned {
  readonly name: string;
  /** Its path from the store; "" for a store that is an array. */
  readonly path: string;
  readonly reader: StoredZarrReader;
  /** Writes to the new array, of which nothing exists yet. */
  readonly writer: StoredZarrWriter;
}

/** A store, and what becomes of its arrays. */
export interface StorePlan {
  readonly node: ZarrNode;
  readonly rechunked: readonly PlannedArray[];
  /** Paths of the arrays that stay as they are. */
  readonly copied: readonly string[];
  /** Why some of these could not be rechunked, a line each. */
  readonly warnings: readonly string[];
}

/** What is planned for a store. */
interface StoreTask {
  readonly path: string;
  /** Where the result is written. */
  readonly output: string;
  readonly to: ChunkLengths;
  readonly limits: Limits;
}

/** Opens a store, finds the arrays that `to` is for, and plans each. Writes nothing. */
export async function planStore({ path, output, to, limits }: StoreTask): Promise<StorePlan> {
  const node = await openZarr(path);
  const members = node.kind === "array"
    ? [{ path: "", member: node.array }]
    : node.kind === "group"
    ? node.arrays
    : [];
  const rechunked: PlannedArray[] = [];
  for (const { path: place, member: reader } of members) {
    const { grid: { shape, chunk }, dimensionNames } = reader;
    const wanted = chunkOf(to, { shape, chunk, dimensionNames });
    // In a group, a single item has no chunks to change.
    if (wanted === undefined || shape.length === 0 && node.kind === "group") continue;
    const writer = await zarrArrayLike(
      place === "" ? output : `${output}/${place}`,
      reader.metadata,
      {
        chunk: wanted,
      },
    );
    const ends = { source: reader, target: writer };
    const plan = asMistakes(() => planForArrays({ ...ends, ...limits }), reader.name);
    rechunked.push({ ...plannedArray(reader, writer, plan), path: place, reader, writer });
  }
  const unsupported = notRechunked(node);
  if (rechunked.length === 0) {
    const [other] = unsupported;
    if (members.length === 0 && other !== undefined) throw other.member;
    const arrays = members.map(({ path: place, member }) => {
      const { grid, dimensionNames } = member;
      return [place === "" ? path : place, { ...grid, dimensionNames }] as const;
    });
    const mistake = noArrayFor(to, path, new Map(arrays));
    // It may be the one that was meant.
    throw other === undefined
      ? mistake
      : new CommandError(`${mistake.message}; ${other.member.message}`);
  }
  const paths = new Set(rechunked.map(({ path }) => path));
  const kept = members.filter(({ path }) => !paths.has(path));
  return {
    node,
    rechunked,
    copied: [...kept, ...unsupported].map(({ path }) => path).sort(),
    warnings: unsupported.map(({ member }) => `${member.message}; it stays as it is`),
  };
}

/** The arrays of a store that cannot be rechunked, and why. */
function notRechunked(node: ZarrNode): readonly GroupMember<FileError>[] {
  if (node.kind === "array") return [];
  const texts = node.kind === "text" ? [{ path: "", member: node.array }] : node.texts;
  const others = node.kind === "text" ? [] : node.others;
  const refused = texts.map(({ path, member: { name } }) => {
    return { path, member: new FileError(name, "has items of any length, which stay as they are") };
  });
  return [...others, ...refused];
}

function plannedArray(reader: StoredZarrReader, writer: StoredZarrWriter, plan: RechunkPlan) {
  const { name, grid, itemBytes, dimensionNames } = reader;
  return {
    name,
    shape: grid.shape,
    itemsize: itemBytes,
    source: grid.chunk,
    target: writer.writeGrid.chunk,
    dimensionNames,
    plan,
  };
}

/** The only array of a store, for what shows one; `what` names the option that asks for it. */
export function onlyArray<T extends { readonly name?: string }>(
  arrays: readonly T[],
  what: string,
): T {
  const [array, ...others] = arrays as [T, ...T[]];
  if (others.length === 0) return array;
  const names = arrays.slice(0, 8).map(({ name }) => name).join(", ");
  throw new CommandError(`${what} is about one array: give the folder of one, of ${names}`);
}

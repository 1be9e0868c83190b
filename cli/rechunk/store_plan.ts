/**
 * Opens a store and plans what becomes of its arrays.
 *
 * @module
 */

import { planForArrays } from "../../ops/rechunk/plan/plan_for_arrays.ts";
import type { TextSizes } from "../../ops/rechunk/plan/text_sizes.ts";
import type { StoredZarrReader } from "../../streams/formats/zarr/store/chunk_reader.ts";
import type { StoredZarrWriter } from "../../streams/formats/zarr/store/chunk_writer.ts";
import { zarrArrayLike } from "../../streams/formats/zarr/store/create_zarr_array.ts";
import {
  openZarr,
  unstoredText,
  type ZarrNode,
} from "../../streams/formats/zarr/store/open_zarr.ts";
import type { StoredTextReader } from "../../streams/formats/zarr/store/text_reader.ts";
import type { StoredTextWriter } from "../../streams/formats/zarr/store/text_writer.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { type ChunkLengths, chunkOf, noArrayFor } from "../words/chunk_lengths.ts";
import type { Planned } from "./grid_rows.ts";
import { asMistakes, type Limits } from "./limits.ts";

/** An array that gets other chunks. Its writer is for the new array, of which nothing exists yet. */
export type PlannedArray = PlannedNumbers | PlannedText;

interface PlannedMember extends Planned {
  readonly name: string;
  /** Its path from the store; "" for a store that is an array. */
  readonly path: string;
}

/** An array whose items all have the same bytes. */
export interface PlannedNumbers extends PlannedMember {
  readonly kind: "numbers";
  readonly reader: StoredZarrReader;
  readonly writer: StoredZarrWriter;
}

/** An array of text or bytes. */
export interface PlannedText extends PlannedMember {
  readonly kind: "text";
  readonly reader: StoredTextReader;
  readonly writer: StoredTextWriter;
  /** The sizes of some of its chunks. */
  readonly sizes: TextSizes;
}

/** A store, and what becomes of its arrays. */
export interface StorePlan {
  readonly node: ZarrNode;
  readonly rechunked: readonly PlannedArray[];
  /** Paths of the arrays that stay as they are. */
  readonly copied: readonly string[];
  /** Why some of these could not be rechunked, and what is not there, a line each. */
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
export async function planStore(task: StoreTask): Promise<StorePlan> {
  const { path, to } = task;
  const node = await openZarr(path);
  const { numbers, texts, others } = membersOf(node);
  // Those whose plan holds for one limit of memory come first.
  const members = [...numbers, ...texts];
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
type Member =
  | { readonly kind: "numbers"; readonly path: string; readonly array: StoredZarrReader }
  | { readonly kind: "text"; readonly path: string; readonly array: StoredTextReader };

/** The arrays of a store, and those that are not supported. */
function membersOf(node: ZarrNode) {
  const group = node.kind === "group" ? node : { arrays: [], texts: [], others: [] };
  const arrays = node.kind === "array" ? [{ path: "", member: node.array }] : group.arrays;
  const texts = node.kind === "text" ? [{ path: "", member: node.array }] : group.texts;
  return {
    numbers: arrays.map(({ path, member }): Member => ({ kind: "numbers", path, array: member })),
    texts: texts.map(({ path, member }): Member => ({ kind: "text", path, array: member })),
    others: group.others,
  };
}

async function planMember(
  member: Member,
  chunk: readonly number[],
  { output, limits }: StoreTask,
): Promise<PlannedArray> {
  const { path } = member;
  const place = path === "" ? output : `${output}/${path}`;
  if (member.kind === "text") {
    const { planTextArray } = await import("./text_arrays.ts");
    return await planTextArray(member.array, { path, output: place, chunk, limits });
  }
  const reader = member.array;
  const writer = await zarrArrayLike(place, reader.metadata, { chunk });
  const ends = { source: reader, target: writer };
  const plan = asMistakes(() => planForArrays({ ...ends, ...limits }));
  const { name, grid, itemBytes, dimensionNames } = reader;
  return {
    ...{ kind: "numbers", path, reader, writer, name, dimensionNames, plan },
    shape: grid.shape,
    itemsize: itemBytes,
    source: grid.chunk,
    target: writer.writeGrid.chunk,
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

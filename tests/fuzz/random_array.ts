/** Random arrays of Zarr, and what is done to their chunks. */

import { DataType } from "apache-arrow";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelArray } from "./model_array.ts";
import type { ModelTable } from "./model_table.ts";
import { modelStep } from "./step_model.ts";
import { knowsArray } from "./zarr_files.ts";
import {
  ZARR_CODECS,
  type ZarrItems,
  zarrItems,
  type ZarrLayout,
  type ZarrPeer,
} from "./zarr_layout.ts";
import { arrayIn, countsOf, LARGE_MEMORY, numberOf, placesOf, product } from "./zarr_model.ts";

/** The programs that write and read arrays beside us. */
export interface ZarrPeers {
  readonly peers: readonly ZarrPeer[];
}

/** Items and chunks of an array, so that a case stays small. */
const MOST_ITEMS = 300;
/** Chunks of a box that is taken. */
const MOST_TAKEN = 60;

/** Steps that make an array of a column, or of chunks an array again, and take its chunks as rows. */
export function throughZarr(
  random: SeededRandom,
  table: ModelTable,
  peers: ZarrPeers,
): CaseStep[] | undefined {
  if (arrayIn(table) !== undefined && random.chance(0.7)) {
    return [{ do: "file", format: "zarr" }];
  }
  const fitting = table.columns.filter(({ type }) => zarrItems(type) !== undefined);
  if (fitting.length === 0) return undefined;
  const rare = fitting.filter(({ type }) => RARE.some((isSuch) => isSuch(type)));
  const { name, type } = random.pick(rare.length > 0 && random.chance(0.7) ? rare : fitting);
  const layout = randomLayout(random, name, type);
  const writer = peerOf(random, peers, [layout, zarrItems(type)!], "writer");
  return [{ do: "file", format: "zarr", layout, ...(writer === undefined ? {} : { writer }) }];
}

/** An array of a column, some of its chunks, perhaps in other chunks, and a file of them. */
export function arrayRows(
  random: SeededRandom,
  table: ModelTable,
  peers: ZarrPeers,
): CaseStep[] | undefined {
  const [file] = throughZarr(random, table, peers) ?? [];
  if (file?.do !== "file" || file.layout === undefined) return file && [file];
  if (table.isUnordered) return undefined;
  const rows = modelStep(table, file);
  const array = arrayIn(rows)!;
  if (random.chance(0.15)) return [file, ...partOfPart(random, rows, peers)];
  const rechunk = rechunkOf(random, array);
  const moved: CaseStep[] = random.chance(0.3)
    // Other chunks are made of an array, or of rows.
    ? random.chance(0.7) ? [rechunk] : [{ do: "regroup", rows: random.pick([1, 3, 7]) }, rechunk]
    : random.chance(0.7)
    ? [boxOf(random, array)]
    : [];
  return [file, ...moved, writeOf(random, array, peers)];
}

/** A part of an array as an array of its own, and a part of that. */
function partOfPart(random: SeededRandom, rows: ModelTable, peers: ZarrPeers): CaseStep[] {
  const box = boxOf(random, arrayIn(rows)!);
  const again: CaseStep = { do: "file", format: "zarr" };
  const part = arrayIn(modelStep(modelStep(rows, box), again))!;
  return [box, again, boxOf(random, part), writeOf(random, part, peers)];
}

/** Steps that take the chunks of a box, in order or not, of rows that are all chunks of an array. */
export function takeBox(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const array = arrayIn(table);
  if (array === undefined || product(countsOf(array)) !== table.numRows) return undefined;
  return [boxOf(random, array)];
}

/** A step that makes other chunks of an array. */
export function rechunkArray(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const array = arrayIn(table);
  return array && [rechunkOf(random, array)];
}

/** A step that writes rows as an array. */
export function writeArray(
  random: SeededRandom,
  table: ModelTable,
  peers: ZarrPeers,
): CaseStep[] | undefined {
  const array = arrayIn(table);
  return array && [writeOf(random, array, peers)];
}

function writeOf(random: SeededRandom, array: ModelArray, peers: ZarrPeers): CaseStep {
  const layout = { ...array.layout, shape: array.shape };
  const judge = peerOf(random, peers, [layout, array.items], "judge");
  return { do: "write", format: "zarr", ...(judge === undefined ? {} : { judge }) };
}

/** A last step that takes rows for an array, which they are not if chunks are missing or come twice. */
export function wrongChunks(random: SeededRandom): CaseStep {
  return random.chance(0.7)
    ? { do: "write", format: "zarr" }
    : random.chance(0.5)
    ? { do: "file", format: "zarr" }
    : { do: "rechunk", to: [1], maxMem: LARGE_MEMORY };
}

/** Types that few tables have. */
const RARE = [DataType.isBinary, DataType.isFixedSizeBinary, DataType.isTimestamp];

/** One of the peers that can write or read an array, mostly none. */
function peerOf(
  random: SeededRandom,
  { peers }: ZarrPeers,
  array: readonly [layout: Parameters<typeof knowsArray>[1], items: ZarrItems],
  as: "writer" | "judge",
): ZarrPeer | undefined {
  if (random.chance(0.5)) return undefined;
  const able = peers.filter((peer) => knowsArray(peer, ...array, as));
  const quick = able.filter((peer) => peer === "zarrita");
  // The others take a process for each array.
  const some = random.chance(0.5) ? quick : able;
  return some.length === 0 ? undefined : random.pick(some);
}

function randomLayout(random: SeededRandom, column: string, type: DataType): ZarrLayout {
  const { names: [name3], itemBytes } = zarrItems(type)!;
  const version = name3 === undefined ? 2 : random.pick([2, 3, 3] as const);
  const shape: number[] = [];
  for (let rank = random.pick([0, 1, 1, 1, 2, 2, 2, 3]); rank > 0; rank--) {
    const most = Math.max(1, Math.floor(MOST_ITEMS / product(shape.map((n) => Math.max(n, 1)))));
    const length = random.chance(0.04) ? 0 : 1 + random.below(random.pick([4, 9, 25]));
    shape.push(Math.min(length, most));
  }
  const chunk = shape.map((length) => 1 + random.below(Math.max(1, Math.min(length + 1, 7))));
  const isSharded = version === 3 && random.chance(0.45);
  const fill = random.chance(0.4) ? "value" : random.chance(0.3) ? "null" : undefined;
  return {
    column,
    version,
    shape,
    chunk,
    ...(isSharded ? { shard: chunk.map((length) => length * (1 + random.below(3))) } : {}),
    codec: random.pick(ZARR_CODECS),
    ...(itemBytes !== undefined && random.chance(0.3) ? { isBig: true } : {}),
    ...(random.chance(0.25) ? { isTurned: true } : {}),
    ...(version === 3 && random.chance(0.25) ? { isChecked: true } : {}),
    ...(fill === "value" || (fill === "null" && version === 2) ? { fill } : {}),
    ...(random.chance(0.3) ? { missing: missingOf(random, countsOf({ shape, chunk })) } : {}),
    ...(random.chance(0.4) ? { isNamed: true } : {}),
    ...(random.chance(0.3) ? { isRenamed: true } : {}),
  };
}

/** Numbers of some of the chunks, in runs. */
function missingOf(random: SeededRandom, counts: readonly number[]): readonly number[] {
  let isMissing = random.chance(0.5);
  return [...placesOf(counts).map((place) => numberOf(place, counts))].filter(() => {
    if (random.chance(0.5)) isMissing = random.chance(0.4);
    return isMissing;
  });
}

/** A step that leaves the chunks of a box of all that there are. */
function boxOf(random: SeededRandom, array: ModelArray): CaseStep {
  const counts = countsOf(array);
  const first = counts.map((count) => random.below(Math.max(1, count)));
  if (counts.includes(0)) return { do: "head", count: 3 };
  const lengths = counts.map((count, axis) => random.below(count - first[axis]!) + 1);
  for (let axis = 0; product(lengths) > MOST_TAKEN; axis++) lengths[axis] = 1;
  const rows = [...placesOf(lengths)].map((place) =>
    numberOf(place.map((at, axis) => at + first[axis]!), counts)
  );
  const [start, stop] = [rows[0]!, rows.at(-1)! + 1];
  // Rows one after the other are a slice too.
  if (stop - start === rows.length && random.chance(0.7)) {
    return random.chance(0.3) && start === 0
      ? { do: "head", count: stop }
      : { do: "slice", start, stop, step: null };
  }
  return { do: "take", rows: random.chance(0.4) ? shuffled(random, rows) : rows };
}

function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0]!);
}

function rechunkOf(random: SeededRandom, { shape, layout }: ModelArray): CaseStep {
  const lengths = shape.map((length) =>
    random.chance(0.2) ? -1 : 1 + random.below(Math.max(1, length + 1))
  );
  const named = lengths.map((length, axis) => [`d${axis}`, length] as const)
    .filter(() => random.chance(0.7));
  return {
    do: "rechunk",
    to: layout.isNamed && random.chance(0.5) ? Object.fromEntries(named) : lengths,
    maxMem: random.pick([LARGE_MEMORY, LARGE_MEMORY, 1e5, 4e4, 1e4, 4e3]),
    ...(random.chance(0.2) ? { stages: random.pick([0, 1]) } : {}),
  };
}

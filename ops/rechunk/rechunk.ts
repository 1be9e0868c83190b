/**
 * The operator `rechunk`: checks its options, and makes the node of a plan.
 *
 * @module
 */

import { originName } from "../../streams/formats/zarr/rows/chunk_rows.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import type { Source } from "../../streams/plan/source.ts";
import { ZarrSource } from "../../streams/formats/zarr/zarr_source.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import { checkedAs, type NodeKind, nodeOf, type OperatorNode } from "../engine/node.ts";
import { refuseOptions } from "../syntax/refuse_options.ts";
import { sizeText } from "../../base/quantities.ts";
import type { RechunkSpec } from "./stage/rechunk_spec.ts";
import { checkTarget, type ChunkTarget, printTarget } from "./stage/target_chunk.ts";

/** How the chunks of an array become others. */
export interface RechunkOptions extends EngineOption {
  /**
   * Items of a chunk along each axis, or along those with some names, where the others stay; -1 is
   * the whole axis, and the only chunk of an array without axes.
   */
  readonly to: ChunkTarget;
  /** Bytes that the chunks and boxes that are held take at most. */
  readonly maxMem: number;
  /** Bytes that each read, write and intermediate chunk should have at least. Default: 0. */
  readonly minMem?: number | undefined;
  /** The number of intermediate stores. Default: that of the least cost. */
  readonly stages?: number | undefined;
  /** The folder for intermediate stores. Default: that of the engine for temporary files. */
  readonly temp?: string | undefined;
}

/**
 * Rechunks an array whose chunks are rows, as `read` of a Zarr array returns them, by a plan of few
 * reads and writes that keeps to `maxMem`. The rows come box by box of the last pass, in C
 * order within a box; each chunk of the array is one row.
 *
 * Right after `read` of an array of Zarr only what a box needs is read. Other rows, in any order, are
 * first kept in memory or in a temporary folder.
 *
 * A limit that no plan can keep is a RangeError that names it, and so is a chunk that comes twice or
 * does not come: a part of an array is written to Zarr first, where it becomes an array of its own.
 * Rows that are no chunks of one array are a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { read, write } from "../../mod.ts";
 * import { rechunk } from "./rechunk.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.mkdir(`${folder}/a.zarr`);
 * const rows = { zarr_format: 2, shape: [2, 2], chunks: [1, 2], dtype: "|u1", fill_value: 0 };
 * await Deno.writeTextFile(`${folder}/a.zarr/.zarray`, JSON.stringify(rows));
 * await Deno.writeFile(`${folder}/a.zarr/0.0`, Uint8Array.of(1, 2));
 * await Deno.writeFile(`${folder}/a.zarr/1.0`, Uint8Array.of(3, 4));
 * const columns = rechunk({ to: [-1, 1], maxMem: 1e6 });
 * await read(`${folder}/a.zarr`).pipeThrough(columns).pipeTo(write(`${folder}/b.zarr`));
 * assertEquals(await Deno.readFile(`${folder}/b.zarr/0.0`), Uint8Array.of(1, 3));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function rechunk(options: RechunkOptions): Operator {
  const { to, maxMem, minMem, stages, temp } = options ?? {};
  refuseOptions("rechunk", options ?? {}, ["to", "maxMem", "minMem", "stages", "temp", "engine"]);
  checkTarget(to);
  if (!(maxMem > 0)) {
    throw new RangeError(`rechunk() takes the bytes of memory as maxMem, not ${String(maxMem)}`);
  }
  if (temp !== undefined && typeof temp !== "string") {
    throw new TypeError(`rechunk() takes the path of a folder as temp, not ${String(temp)}`);
  }
  return operatorOf(nodeAt(Object.freeze({ to, maxMem, minMem, stages, temp })), options);
}

/** The node, which takes over the reading where an array of Zarr is before it. */
function nodeAt(spec: RechunkSpec): OperatorNode<RechunkSpec> {
  return Object.freeze({
    ...nodeOf(rechunkKind, spec),
    atSource: (source: Source) =>
      source instanceof ZarrSource
        ? nodeOf(rechunkKind, Object.freeze({ ...spec, over: source }))
        : undefined,
  });
}

const rechunkKind: NodeKind<RechunkSpec> = {
  name: "rechunk",
  rows: "any",
  boundaries: "ignored",
  summary: ({ to, maxMem }) => `to ${printTarget(to)} in ${sizeText(maxMem)}`,
  // One who reads by itself needs of the rows that they are there.
  needs: ({ over }) => over === undefined ? undefined : new Set([originName]),
  async check(spec, input) {
    const { bindRechunk } = await import("./stage/rechunk_stage.ts");
    return checkedAs(await bindRechunk(spec, input));
  },
};

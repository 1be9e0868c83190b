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
import { showValue } from "../../base/kind_of.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { refuseOptions } from "../syntax/refuse_options.ts";
import { sizeText } from "../../base/quantities.ts";
import type { RechunkSpec } from "./stage/rechunk_spec.ts";
import { checkTarget, type ChunkTarget, printTarget } from "./stage/target_chunk.ts";

/** The options of `rechunk`. */
export interface RechunkOptions extends EngineOption {
  /**
   * The number of items of a chunk along each axis, or along named axes, where the others stay; -1 is
   * the whole axis, and also the only chunk of an array without axes.
   */
  readonly to: ChunkTarget;
  /** The greatest number of bytes that chunks and boxes may take in memory. */
  readonly maxMem: number;
  /** The least number of bytes that a read, a write or an intermediate chunk should have. Default: 0. */
  readonly minMem?: number | undefined;
  /** The number of intermediate stores. Default: the number with the least cost. */
  readonly stages?: number | undefined;
  /** The folder for intermediate stores. Default: the engine's folder for temporary files. */
  readonly temp?: string | undefined;
}

/**
 * Rechunks an array whose chunks are rows, as `read` of a Zarr array returns them, by a plan of few
 * reads and writes that respects `maxMem`. The rows come box by box of the last pass, in C order
 * within a box; each chunk of the array is one row.
 *
 * Directly after `read` of a Zarr array, the stage reads only the chunks that a box needs. Rows from
 * elsewhere may come in any order and are first buffered, in memory or in a temporary folder.
 *
 * Throws a RangeError that names the limit that no plan respects, and one for a chunk that is missing
 * or comes twice: write a part of an array to Zarr first, where it becomes an array of its own. Throws
 * a TypeError for rows that are not the chunks of one array.
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
  if (options !== undefined) checkNamed("rechunk()", "options", options);
  const { to, maxMem, minMem, stages, temp } = options ?? {};
  refuseOptions("rechunk", options ?? {}, ["to", "maxMem", "minMem", "stages", "temp", "engine"]);
  checkTarget(to);
  if (typeof maxMem !== "number" || !(maxMem > 0)) {
    throw new RangeError(`rechunk() takes the bytes of memory as maxMem, not ${showValue(maxMem)}`);
  }
  if (temp !== undefined && typeof temp !== "string") {
    throw new TypeError(`rechunk() takes the path of a folder as temp, not ${showValue(temp)}`);
  }
  // The plan checks the numbers.
  for (const [option, value] of Object.entries({ minMem, stages })) {
    if (value === undefined || typeof value === "number") continue;
    throw new TypeError(`rechunk() option ${option} is a number, not ${showValue(value)}`);
  }
  return operatorOf(nodeAt(Object.freeze({ to, maxMem, minMem, stages, temp })), options);
}

/** Returns the node, which reads the chunks itself where a Zarr array is the source. */
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
  // A stage that reads the chunks itself needs only the presence of rows.
  needs: ({ over }) => over === undefined ? undefined : new Set([originName]),
  async check(spec, input) {
    const { bindRechunk } = await import("./stage/rechunk_stage.ts");
    return checkedAs(await bindRechunk(spec, input));
  },
};

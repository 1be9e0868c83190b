/**
 * What a node of rechunking is asked for.
 *
 * @module
 */

import type { ZarrSource } from "../../../streams/formats/zarr/zarr_source.ts";
import type { ChunkTarget } from "./target_chunk.ts";

/** The options of a node, and the array that it reads by itself, if it does. */
export interface RechunkSpec {
  readonly to: ChunkTarget;
  readonly maxMem: number;
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
  readonly temp?: string | undefined;
  readonly over?: ZarrSource;
}

/**
 * The spec of a node of rechunking.
 *
 * @module
 */

import type { ZarrSource } from "../../../streams/formats/zarr/zarr_source.ts";
import type { ChunkTarget } from "./target_chunk.ts";

/** The options of a node, and the source whose chunks it reads itself, if there is one. */
export interface RechunkSpec {
  readonly to: ChunkTarget;
  readonly maxMem: number;
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
  readonly temp?: string | undefined;
  readonly over?: ZarrSource;
}

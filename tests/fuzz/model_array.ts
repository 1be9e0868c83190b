/** The array of Zarr that a column of the model has chunks of. */

import type { ZarrItems, ZarrLayout } from "./zarr_layout.ts";

/** The array whose chunks a column has. */
export interface ModelArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly items: ZarrItems;
  readonly fill: unknown;
  /** As what it was first written; it may have other chunks by now. */
  readonly layout: ZarrLayout;
  /** Where it began in the array that it is a part of. */
  readonly origin?: readonly number[];
}

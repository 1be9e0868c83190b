/** @module */

import type { ZarrArrayInfo } from "../items/zarr_array.ts";

/** What an array is, for classes that do something with it. */
export class ArrayInfo implements ZarrArrayInfo {
  readonly name: ZarrArrayInfo["name"];
  readonly grid: ZarrArrayInfo["grid"];
  readonly writeGrid: ZarrArrayInfo["writeGrid"];
  readonly dataType: ZarrArrayInfo["dataType"];
  readonly itemBytes: ZarrArrayInfo["itemBytes"];
  readonly fill: ZarrArrayInfo["fill"];
  readonly dimensionNames: ZarrArrayInfo["dimensionNames"];
  readonly attributes: ZarrArrayInfo["attributes"];

  constructor(info: ZarrArrayInfo) {
    this.name = info.name;
    this.grid = info.grid;
    this.writeGrid = info.writeGrid;
    this.dataType = info.dataType;
    this.itemBytes = info.itemBytes;
    this.fill = info.fill;
    this.dimensionNames = info.dimensionNames;
    this.attributes = info.attributes;
  }
}

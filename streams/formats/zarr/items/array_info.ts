/**
 * A base class with the facts about an array.
 *
 * @module
 */

import type { AnyArray } from "./array.ts";

/** Has the facts about an array of a kind. */
export class ArrayInfo<A extends AnyArray> {
  readonly name: A["name"];
  readonly grid: A["grid"];
  readonly writeGrid: A["writeGrid"];
  readonly dataType: A["dataType"];
  readonly itemBytes: A["itemBytes"];
  readonly fill: A["fill"];
  readonly dimensionNames: A["dimensionNames"];
  readonly attributes: A["attributes"];

  constructor(info: A) {
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

/**
 * How often text of which columns had offsets of 64 bits.
 *
 * @module
 */

import { type Column, isTextList, stringDataBytes } from "../../gpu/column/column.ts";
import type { Batch } from "./batch.ts";

/** The batches in which the text of one column had so many bytes that its offsets have 64 bits. */
export interface WideText {
  /** Name of the column. */
  readonly column: string;
  /** How many batches. */
  readonly batches: number;
  /** Bytes of its text in the largest of them. */
  readonly bytes: number;
}

/** Counts batches in which text has the threshold or more. */
export class WideTextCounter {
  readonly #threshold: number;
  /** By the number of the column, so that they come out in the order of the schema. */
  readonly #found: (WideText | undefined)[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** What was counted so far, column by column. */
  get found(): readonly WideText[] {
    return this.#found.filter((text) => text !== undefined);
  }

  /** Counts the columns of a batch; it has to look at no row for that. */
  note({ schema, columns }: Batch): void {
    for (const [index, { textBytes }] of columns.entries()) {
      if (textBytes < this.#threshold) continue;
      const { batches = 0, bytes = 0 } = this.#found[index] ?? {};
      this.#found[index] = {
        column: schema.fields[index]!.name,
        batches: batches + 1,
        bytes: Math.max(bytes, textBytes),
      };
    }
  }
}

/** Bytes of the text of a column, of the largest one of nested text; 0 where it has none. */
export function columnTextBytes(column: Column): number {
  if (column.type.kind === "string") {
    return column.place === "host" ? stringDataBytes(column) : column.dataBytes;
  }
  if (column.place === "host") return Math.max(0, ...column.children.map(columnTextBytes));
  return isTextList(column.type) ? column.dataBytes : 0;
}

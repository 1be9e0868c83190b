/**
 * Lists the grids of a plan that the data passes, from the source to the target.
 *
 * @module
 */

import type { RechunkPlan } from "../../ops/rechunk/plan/rechunk_plan.ts";
import { formatCount, sizeText } from "../../base/quantities.ts";
import { product } from "../../streams/formats/zarr/grid/grid.ts";

/** A plan and its array. */
export interface Planned {
  readonly shape: readonly number[];
  /** Bytes of an item, or their average if items differ in size. */
  readonly itemsize: number;
  /** The kind of items of a variable size. */
  readonly itemType?: "text" | "bytes";
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly plan: RechunkPlan;
  /** The name of the array, if any. */
  readonly name?: string;
  /** Names of the axes, if any. */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
}

/** The place of a grid's items: the user's arrays, memory, or an intermediate store. */
export type GridKind = "array" | "memory" | "store";

/** A grid that the data passes. */
export interface GridRow {
  readonly kind: GridKind;
  readonly label: string;
  readonly chunk: readonly number[];
  /** The lengths and the bytes of its chunk. */
  readonly size: string;
  /** The number of its chunks that are read or written; empty for boxes in memory. */
  readonly note: string;
}

/** Returns the grids of a plan; without stages, the source and the target with a box between them. */
export function gridRows({ source, target, itemsize, plan }: Planned): GridRow[] {
  const row = (kind: GridKind, label: string, chunk: readonly number[], note = ""): GridRow => {
    const bytes = sizeText(product(chunk) * itemsize);
    return { kind, label, chunk, note, size: `${chunk.join(" × ")}, ${bytes}` };
  };
  const { stages, direct } = plan;
  const pieces = stages.reduce((sum, { operations }) => sum + operations, 0);
  const last = plan.writes - pieces;
  const first = plan.reads - (stages.length === 0 ? 0 : plan.writes);
  const boxes = stages.flatMap(({ intermediate, write, operations }, index) => [
    row(
      "store",
      `store ${index + 1}`,
      intermediate,
      `${counted(operations, "piece")} written and read`,
    ),
    row("memory", "memory", write),
  ]);
  return [
    row("array", "source", source, `${counted(first, "chunk")} read`),
    row("memory", "memory", stages[0]?.read ?? direct ?? target),
    ...boxes,
    row("array", "target", target, `${counted(last, "chunk")} written`),
  ];
}

/** Formats a count: `1 chunk`, `2 chunks`. */
export function counted(count: number, what: string, several = `${what}s`): string {
  return `${formatCount(count)} ${count === 1 ? what : several}`;
}

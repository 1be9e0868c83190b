/**
 * The kinds of nodes that pick rows by position: forward slices, and rows in any other order.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { printPick, resolveRows, type RowPick } from "../../streams/rows/row_request.ts";
import { numRowsOf } from "../../streams/rows/row_run.ts";
import { composeSlices, type RowSlice } from "../../streams/rows/row_slice.ts";
import {
  type CheckContext,
  type Checked,
  checkedAs,
  type InputFacts,
  isOf,
  type NodeKind,
  nodeOf,
  type OperatorNode,
  type Step,
} from "../engine/operator_kit.ts";
import { buffersAnyNumber, checkPick } from "./check_pick.ts";
import { pickRows } from "./pick_rows.ts";

/** The rows that a node picks, and the costs that it may have. */
export interface PickSpec<Pick extends RowPick = RowPick> {
  readonly pick: Pick;
  /** The share of the rows read that may be thrown away. */
  readonly maxWaste: number;
  /** Whether rows may be buffered up to the engine's memory limit. */
  readonly hold: boolean;
}

/** Creates a node that picks rows; `name` is the function that the user called. */
export function pickNode(spec: PickSpec, name: string): OperatorNode {
  const { pick } = spec;
  return pick.kind === "slice" && pick.step > 0
    ? nodeOf(sliceKind, { ...spec, pick }, name)
    : nodeOf(takeKind, spec, name);
}

const sliceKind = kindOfPicks<RowSlice>("slice", "fewer");
const takeKind = kindOfPicks<RowPick>("take", "any");

/** Returns a kind of nodes that only pick rows; `rows` is their treatment of rows. */
function kindOfPicks<Pick extends RowPick>(
  name: string,
  rows: "fewer" | "any",
): NodeKind<PickSpec<Pick>> {
  return {
    name,
    rows,
    boundaries: "ignored",
    summary: ({ pick }) => printPick(pick),
    needs: (_, wanted) => wanted,
    numRows: ({ pick }, numRows) => numRowsOf(resolveRows([pick], numRows)),
    check: checkPickNode,
    rewrites: {
      pairs: [
        { name: "a slice of a slice is one slice", rewrite: mergeSlices },
        { name: `a ${name} passes what keeps its rows`, rewrite: liftPick },
      ],
      picks: ({ spec }) => spec.pick,
      checkInput: checkNode,
    },
  };
}

/**
 * Checks a node. A pick that may buffer any number of rows is limited to the memory of the engine,
 * except in plans without rewrites.
 */
function checkPickNode({ pick }: PickSpec, schema: Schema, { fuse }: CheckContext): Checked {
  const isLimited = fuse && buffersAnyNumber(pick);
  return checkedAs({
    schema,
    run: (input, context) => pickRows(pick, input, context, isLimited ? context.memory : Infinity),
  });
}

function checkNode({ name, spec }: OperatorNode<PickSpec>, input: InputFacts): void {
  checkPick(spec.pick, `${name} ${printPick(spec.pick)}`, spec, input);
}

/** Returns the slice that a node picks, if it picks one. */
function sliceOf(node: OperatorNode): PickSpec<RowSlice> | undefined {
  if (!isOf(node, sliceKind) && !isOf(node, takeKind)) return undefined;
  const { pick } = node.spec;
  return pick.kind === "slice" ? { ...node.spec, pick } : undefined;
}

function mergeSlices(first: Step, second: Step): Step[] | undefined {
  const [one, other] = [sliceOf(first.node), sliceOf(second.node)];
  const pick = one && other && composeSlices(one.pick, other.pick);
  if (pick === undefined) return undefined;
  const maxWaste = Math.max(one!.maxWaste, other!.maxWaste);
  const node = pickNode({ pick, maxWaste, hold: one!.hold || other!.hold }, "slice");
  const merged = [...first.merged ?? [], second.step, ...second.merged ?? []];
  return [{ ...second, node, step: first.step, merged }];
}

function liftPick(first: Step, second: Step): Step[] | undefined {
  return first.node.kind.rows === "same" ? [second, first] : undefined;
}

/**
 * The kinds of plan nodes of joins, and their operators: what all forms have in common.
 *
 * @module
 */

import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import { type Names, type NodeKind, nodeOf } from "../../engine/node.ts";
import { type EngineOption, operatorOf } from "../../engine/operator_of.ts";
import { BuildSide } from "./build_side.ts";

/** The checked arguments of a join of any form. */
export interface JoinSpec {
  readonly build: BuildSide;
  readonly how: string;
  readonly suffix: string;
  /** The columns that the join takes of the build side; undefined: all. */
  readonly taken: readonly string[] | undefined;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

/** Returns a kind of joins. It reads the columns that are wanted, and cancels its build side. */
export function joinKind<Spec extends JoinSpec>(
  form: Omit<NodeKind<Spec>, "name" | "boundaries" | "abandon" | "rewrites">,
): NodeKind<Spec> {
  const kind: NodeKind<Spec> = {
    ...form,
    name: "join",
    boundaries: "ignored",
    abandon: ({ build }, reason) => build.cancel(reason),
    rewrites: {
      onWanted: ({ spec }, wanted) => nodeOf(kind, { ...spec, wanted }),
    },
  };
  return kind;
}

/** Returns the operator of a join, which takes over its build side. */
export function joinOperator<Spec extends JoinSpec>(
  kind: NodeKind<Spec>,
  spec: Omit<Spec, "build">,
  build: BatchStream,
  options: EngineOption,
): Operator {
  return operatorOf(nodeOf(kind, { ...spec, build: new BuildSide(build) } as Spec), options);
}

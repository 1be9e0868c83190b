/**
 * The kinds of plan nodes for joins, and their operators, for all forms.
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
  /** The columns of the build side that the join takes; undefined for all. */
  readonly taken: readonly string[] | undefined;
  /** The columns of the result that later steps need; absent for all. */
  readonly wanted?: Names;
}

/** Returns the node kind of a form of join, which notes the wanted columns and cancels its build side. */
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

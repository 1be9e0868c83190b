/**
 * The names that the file of an operator imports from the engine: the types of its `NodeKind` and
 * its stage, and the functions that create a node, a stage and the operator that a user pipes
 * through.
 *
 * @module
 */

export type { Operator } from "../../streams/plan/operator.ts";
export { Batch } from "../batch/batch.ts";
export { BatchColumn } from "../batch/batch_column.ts";
export {
  type CheckContext,
  type Checked,
  checkedAs,
  type InputFacts,
  isOf,
  type Names,
  type NodeKind,
  nodeOf,
  type OperatorNode,
  type RowRule,
  type Stage,
  type StageContext,
  type Step,
  withNames,
} from "./node.ts";
export { type EngineOption, operatorOf } from "./operator_of.ts";
export { type Compute, computeStage, firstRows, pickStage } from "./stage.ts";

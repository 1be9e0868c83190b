/**
 * From a node to the operator that a user pipes through.
 *
 * @module
 */

import { Operator } from "../../streams/operator.ts";
import { defaultEngine, type Engine } from "./engine.ts";
import type { OperatorNode } from "./node.ts";

/** Which engine runs an operator. */
export interface EngineOption {
  /**
   * The engine that it insists on. Absent: the engine of the stream that it is piped onto, or the
   * default one where that stream carries no plan.
   */
  readonly engine?: Engine;
}

/** The operator of a node. */
export function operatorOf(node: OperatorNode, { engine }: EngineOption = {}): Operator {
  return new Operator(node, {
    engine: (engine ?? defaultEngine()).plans,
    pinned: engine !== undefined,
  });
}

/**
 * Wraps a node in the operator that a user pipes through.
 *
 * @module
 */

import { Operator } from "../../streams/plan/operator.ts";
import { defaultEngine, type Engine } from "./engine.ts";
import type { OperatorNode } from "./node.ts";

/** The choice of the engine that runs an operator. */
export interface EngineOption {
  /**
   * The engine to use. Default: that of the stream being piped, or the default engine if that stream
   * has no plan.
   */
  readonly engine?: Engine;
}

export function operatorOf(node: OperatorNode, { engine }: EngineOption = {}): Operator {
  return new Operator(node, {
    engine: (engine ?? defaultEngine()).plans,
    pinned: engine !== undefined,
  });
}

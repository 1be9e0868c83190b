/**
 * Wraps a node in the operator that a user pipes through.
 *
 * @module
 */

import { checkNamed } from "../../base/option_kinds.ts";
import { showValue } from "../../base/kind_of.ts";
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

/**
 * Creates the operator of a node. Throws a TypeError for options that are no object, and for an engine
 * that is none.
 */
export function operatorOf(node: OperatorNode, options: EngineOption = {}): Operator {
  checkNamed(`${node.kind.name}()`, "options", options);
  const { engine } = options;
  checkEngine(engine);
  return new Operator(node, {
    engine: (engine ?? defaultEngine()).plans,
    pinned: engine !== undefined,
  });
}

/** Throws a TypeError unless a value that is not absent is an engine. */
export function checkEngine(engine: unknown): void {
  const isEngine = typeof engine === "object" && engine !== null && "plans" in engine;
  if (engine === undefined || isEngine) return;
  throw new TypeError(
    `The option engine is one that createEngine() returns, not ${showValue(engine)}`,
  );
}

/** @module */

import type { RecordBatch } from "apache-arrow";
import type { Plan } from "../../streams/plan.ts";
import type { OpenOptions } from "../../streams/source.ts";
import { isOperatorNode } from "./node.ts";

/**
 * What one run of a plan reads: its source, and the streams that its operators read beside it. A
 * run may end before it reads them, and then they have to learn that nobody will.
 */
export class PlanInputs {
  readonly #plan: Plan;
  #isOpen = false;
  #abandoned: Promise<void> | undefined;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** The batches of the source; asked for once. */
  open(options: OpenOptions): AsyncGenerator<RecordBatch, void, void> {
    this.#isOpen = true;
    return this.#plan.source.open(options);
  }

  /** Cancels what was not read to its end, once. Never fails. */
  abandon(reason: unknown): Promise<void> {
    return this.#abandoned ??= this.#cancelAll(reason);
  }

  async #cancelAll(reason: unknown): Promise<void> {
    const { source, nodes } = this.#plan;
    const isUnread = !this.#isOpen;
    this.#isOpen = true;
    await Promise.allSettled([
      ...nodes.filter(isOperatorNode).map(({ kind, spec }) => kind.abandon?.(spec, reason)),
      // Opening it with an aborted signal is how a source learns that nobody reads it.
      isUnread ? source.open({ signal: AbortSignal.abort(reason) }).next() : undefined,
    ]);
  }
}

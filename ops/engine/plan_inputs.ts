/**
 * The inputs of one run: the source of its plan, and the streams that its operators read besides.
 *
 * @module
 */

import type { Plan } from "../../streams/plan/plan.ts";
import { allRows, type RowRequest } from "../../streams/rows/row_request.ts";
import type { OpenOptions, SourceRows } from "../../streams/plan/source.ts";
import { isOperatorNode } from "./node.ts";

/** The inputs of one run. Those that are still unread when the run ends must be cancelled. */
export class PlanInputs {
  readonly #plan: Plan;
  readonly #onProbe: NonNullable<OpenOptions["onProbe"]>;
  #isOpen = false;
  #abandoned: Promise<void> | undefined;

  /** `onProbe` is called before reading metadata that takes long. */
  constructor(plan: Plan, onProbe: NonNullable<OpenOptions["onProbe"]>) {
    this.#plan = plan;
    this.#onProbe = onProbe;
  }

  /** Reads rows of the source. After this, `abandon` no longer cancels the source. */
  rows(request: RowRequest, wanted: OpenOptions): AsyncGenerator<SourceRows, void, void> {
    this.#isOpen = true;
    return this.#plan.source.rows(request, { ...wanted, onProbe: this.#onProbe });
  }

  /** Returns the number of rows of the source, if metadata has it. */
  numRows(signal: AbortSignal): Promise<number | undefined> {
    return this.#plan.source.numRows({ signal, onProbe: this.#onProbe });
  }

  /** Cancels the source if it is unread, and the other streams, at most once. Never rejects. */
  abandon(reason: unknown): Promise<void> {
    return this.#abandoned ??= this.#cancelAll(reason);
  }

  async #cancelAll(reason: unknown): Promise<void> {
    const { source, nodes } = this.#plan;
    const isUnread = !this.#isOpen;
    this.#isOpen = true;
    await Promise.allSettled([
      ...nodes.filter(isOperatorNode).map(({ kind, spec }) => kind.abandon?.(spec, reason)),
      // Opening an unread source with an aborted signal cancels it.
      isUnread ? source.rows(allRows, { signal: AbortSignal.abort(reason) }).next() : undefined,
    ]);
  }
}

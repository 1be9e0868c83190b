/** Cases that an engine has to pass, whatever computes for it. */

import type { Engine, EngineOptions } from "../../../mod.ts";
import { withoutUnhandled } from "../pipelines/pipeline_streams.ts";

/** The environment of a case: opens engines on one device, and counts the buffers in use there. */
interface EngineScope {
  /** Opens an engine, which is closed at the end of the case. */
  open(options?: EngineOptions): Engine;
  /** Returns the number of buffers that the engines have not given back. */
  inUse(): Promise<number>;
  /** Picks a number of rounds: a device takes longer. */
  amount(of: { readonly host: number; readonly device: number }): number;
}

/** Registers a case as a test. At its end all memory is back, and no rejection unhandled. */
export type EngineCase = (title: string, use: (scope: EngineScope) => Promise<void>) => void;

/** Runs a case with the engines of a device. */
export async function runEngineCase(
  use: (scope: EngineScope) => Promise<void>,
  { create, inUse, amount }: {
    create(options: EngineOptions): Engine;
    inUse(engine: Engine): Promise<number>;
    readonly amount: EngineScope["amount"];
  },
): Promise<void> {
  const engines: Engine[] = [];
  const scope: EngineScope = {
    open(options = {}) {
      const engine = create(options);
      engines.push(engine);
      return engine;
    },
    async inUse() {
      let sum = 0;
      for (const engine of engines) sum += await inUse(engine);
      return sum;
    },
    amount,
  };
  try {
    await withoutUnhandled(() => use(scope));
    const left = await scope.inUse();
    if (left > 0) throw new Error(`${left} buffers still in use`);
  } finally {
    for (const engine of engines) await engine.close();
  }
}

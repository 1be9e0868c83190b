/**
 * Frees garbage before a measurement. A result of DuckDB or Polars is native memory that is freed when its
 * JavaScript object is collected, perhaps many runs later: meanwhile their runs would slow down for lack of
 * memory, or the next contender would pay for the collection.
 */
export async function collectGarbage(): Promise<void> {
  // Defined with `--v8-flags=--expose-gc`, as in `deno task bench`.
  (globalThis as { gc?: () => void }).gc?.();
  // Finalizers run in a later turn of the event loop.
  await new Promise((done) => setTimeout(done, 20));
}

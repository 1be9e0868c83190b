/**
 * Frees what was left behind before something is measured. A result of DuckDB or Polars is native
 * memory that goes when its JavaScript object is collected, which may be many runs later: their
 * runs would slow down for lack of it, or the next contender would pay for it.
 */
export async function collectGarbage(): Promise<void> {
  // There under `--v8-flags=--expose-gc`, as in `deno task bench`.
  (globalThis as { gc?: () => void }).gc?.();
  // What finalizers free, they free in a turn of their own.
  await new Promise((done) => setTimeout(done, 20));
}

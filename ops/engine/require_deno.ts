/**
 * Says in one sentence that another runtime cannot run the library, which would fail at the first
 * file with a stack trace. Web pages have no files, and are let through.
 *
 * @module
 */

const runtime = globalThis as {
  Deno?: unknown;
  process?: { versions?: Record<string, string> };
};

if (runtime.Deno === undefined && runtime.process?.versions?.node !== undefined) {
  const error = new Error("Sluice runs on Deno 2.9 and later: deno run program.ts, or npx deno");
  error.stack = String(error);
  throw error;
}

/**
 * Rejects Node.js with a one-line error; otherwise it would fail at the first file access with a
 * stack trace. Browsers have no file access and are accepted.
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

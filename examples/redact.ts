/**
 * Redacts names: `deno run -A examples/redact.ts people.csv redacted.csv`. People who are not public become
 * "X X", the others the initial of their surname and their first name.
 *
 * @module
 */

import { expr, read, withColumns, write } from "../mod.ts";

const redacted = expr(`
  visibility == "public"
    ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0)
    : "X X"`);

/** Redacts the column `name` of a file, depending on its column `visibility`. */
export async function redact(input: string, output: string): Promise<void> {
  await read(input).pipeThrough(withColumns({ name: redacted })).pipeTo(write(output));
}

if (import.meta.main) {
  const [input, output] = Deno.args;
  if (input === undefined || output === undefined) {
    console.error("Usage: redact.ts INPUT OUTPUT");
    Deno.exit(2);
  }
  await redact(input, output);
}

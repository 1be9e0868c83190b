#!/usr/bin/env -S deno run -A
/**
 * The command line: `sluice read flights.parquet then head 10 then show`.
 *
 * @example
 * ```ts
 * import { main } from "./cli.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["--version"]), 0);
 * ```
 *
 * @module
 */

import { main } from "./cli/main.ts";

export { main };

if (import.meta.main) Deno.exit(await main(Deno.args));

/**
 * The version of the package.
 *
 * @module
 */

import manifest from "../deno.json" with { type: "json" };

/** The version in `deno.json`. */
export const version: string = manifest.version;

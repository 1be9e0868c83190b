/**
 * What every pipeline needs, in one module: each import at run time costs Deno a few milliseconds
 * beside those of the modules that it loads.
 *
 * @module
 */

export { createEngine } from "../../ops/engine/engine.ts";
export { readFiles } from "../../ops/source/read_files.ts";
export { removePartialOutputs } from "../../streams/sink/output_file.ts";

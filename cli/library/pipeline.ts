/**
 * The parts of the library that every pipeline needs, in one module: each dynamic import costs Deno a few
 * milliseconds in addition to the modules that it loads.
 *
 * @module
 */

export { createEngine } from "../../ops/engine/engine.ts";
export { readFiles } from "../../ops/source/read_files.ts";
export { removePartialOutputs } from "../../streams/sink/output_file.ts";

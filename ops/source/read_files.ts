/**
 * Files as a stream, for callers that need no type but those that readers know: nothing is loaded that
 * computes.
 *
 * @module
 */

import { checkNamed } from "../../base/option_kinds.ts";
import { BatchStream } from "../../streams/plan/batch_stream.ts";
import type { CastColumns } from "../../streams/formats/given_types.ts";
import { openSource, type SourceOptions } from "../../streams/files/read.ts";
import { checkNames } from "../rows/column_names.ts";
import { defaultEngine } from "../engine/engine.ts";
import { checkEngine } from "../engine/operator_of.ts";
import { type EngineOption, nodeOf } from "../engine/operator_kit.ts";
import { selectKind } from "../rows/select.ts";

/** Options for reading files, and the engine for the operators that follow. */
export interface ReadFilesOptions extends SourceOptions, CastColumns, EngineOption {
  /** Names of the columns to read; the others are not touched. Default: all of them. */
  readonly columns?: readonly string[] | undefined;
}

/** As `read()`, with the types of readers only. */
export function readFiles(
  paths: string | URL | readonly (string | URL)[],
  options: ReadFilesOptions = {},
): BatchStream {
  checkNamed("read()", "options", options);
  checkEngine(options.engine);
  const { columns, engine = defaultEngine(), ...rest } = options;
  if (columns !== undefined) checkNames("read() option columns", columns);
  const nodes = Object.freeze(
    columns === undefined ? [] : [
      Object.freeze({ ...nodeOf(selectKind, columns), isOfSource: true }),
    ],
  );
  return new BatchStream(
    Object.freeze({
      source: openSource(paths, {
        ...rest,
        aheadBytes: engine.aheadBytes,
        rowBytes: engine.rowBytes,
      }),
      nodes,
      engine: engine.plans,
    }),
  );
}

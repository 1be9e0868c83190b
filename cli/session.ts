/**
 * What the verbs of one command work with.
 *
 * @module
 */

import type { BatchStream, Engine, Expr, FileSink, Operator, RunStats } from "../mod.ts";
import { CommandError } from "./command_error.ts";
import type { GlobalOptions } from "./command_line.ts";
import type { Plugins } from "./plugins.ts";

/** The library. It is loaded when a pipeline runs, so that help and mistakes answer at once. */
export type Sluice = typeof import("../mod.ts");

/** What the verbs of one command work with. */
export interface Session {
  readonly sluice: Sluice;
  readonly engine: Engine;
  /** The runs so far; the last ones may be under way. */
  readonly runs: readonly RunStats[];
  /** The files written so far; the last one may be under way. */
  readonly outputs: FileSink[];
  /** Parses an expression; it knows the operations of the plugins. */
  parse(text: string): Expr;
  /** Adds an operator to a stream. */
  pipe(stream: BatchStream, operator: Operator): BatchStream;
}

/** Opens a session. */
export function openSession(sluice: Sluice, options: GlobalOptions, plugins: Plugins): Session {
  const runs: RunStats[] = [];
  const { device, memory, threshold } = options;
  const engine = orCommandError(() =>
    sluice.createEngine({
      device,
      ...(memory === undefined ? {} : { memory }),
      ...(threshold === undefined ? {} : { threshold }),
      onRun: (run) => void runs.push(run),
    })
  );
  const operations = [...sluice.operations, ...plugins.operations];
  return {
    sluice,
    engine,
    runs,
    outputs: [],
    parse: (text) => sluice.parseExpr(text, { operations }),
    pipe: (stream, operator) => {
      stream.pipeThrough(operator);
      return operator.readable;
    },
  };
}

/** An option or a variable that the engine refuses is a mistake in the command. */
function orCommandError<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(error.message) : error;
  }
}

/**
 * The state that the verbs of one command share.
 *
 * @module
 */

import type {
  BatchStream,
  Engine,
  EngineOptions,
  Expr,
  FileSink,
  Operator,
  RunStats,
} from "../mod.ts";
import { CommandError } from "./arguments.ts";
import type { GlobalOptions } from "./command_line.ts";
import type { Plugins } from "./plugins.ts";
import { printError } from "./terminal.ts";

/** The library, loaded lazily so that help and mistakes in the command are answered quickly. */
type Sluice = typeof import("../mod.ts");

/** The state that the verbs of one command share. */
export interface Session {
  readonly sluice: Sluice;
  readonly engine: Engine;
  /** The runs so far; the last ones may be under way. */
  readonly runs: readonly RunStats[];
  /** The files written so far; the last one may be under way. */
  readonly outputs: FileSink[];
  /** Parses an expression, which may use operations of plugins. */
  parse(text: string): Expr;
  /** Adds an operator to a stream. */
  pipe(stream: BatchStream, operator: Operator): BatchStream;
}

export function openSession(sluice: Sluice, options: GlobalOptions, plugins: Plugins): Session {
  const runs: RunStats[] = [];
  const warned = new Set<string>();
  const onWarning = (warning: string) => {
    if (!warned.has(warning)) printError([`sluice: warning: ${warning}`]);
    warned.add(warning);
  };
  const onRun = (run: RunStats) => {
    runs.push(run);
    run.warnings.forEach(onWarning);
  };
  const engine = openEngine(sluice, options, { onRun, onWarning });
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

/**
 * Creates the engine for the options of a command. A value it rejects is a mistake in the command.
 */
export function openEngine(
  sluice: Sluice,
  { device, memory, temp, threshold }: GlobalOptions,
  listeners: Pick<EngineOptions, "onRun" | "onWarning"> = {},
): Engine {
  try {
    return sluice.createEngine({
      device,
      ...(memory === undefined ? {} : { memory }),
      ...(temp === undefined ? {} : { temp }),
      ...(threshold === undefined ? {} : { threshold }),
      ...listeners,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message.replace(/^threshold /, "--threshold "));
  }
}

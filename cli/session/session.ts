/**
 * The state that the verbs of one command share.
 *
 * @module
 */

import { commandMessage } from "../../base/errors/option_text.ts";
import type {
  BatchStream,
  Engine,
  EngineOptions,
  Expr,
  FileSink,
  Operator,
  RunStats,
} from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import type { GlobalOptions } from "../words/command_line.ts";
import { library } from "../library/library.ts";
import type { Plugins } from "./plugins.ts";
import { printError } from "../print/terminal.ts";

/** Parses an expression, which may use operations of plugins. */
export type Parse = (text: string) => Expr;

/** The state that the verbs of one command share. */
export interface Session {
  readonly engine: Engine;
  /** The runs so far; the last ones may still be running. */
  readonly runs: readonly RunStats[];
  /** The files written so far; the last one may be incomplete. */
  readonly outputs: FileSink[];
  /** Loads the parser of expressions. */
  parser(): Promise<Parse>;
  /** Pipes a stream through an operator. */
  pipe(stream: BatchStream, operator: Operator): BatchStream;
}

export async function openSession(options: GlobalOptions, plugins: Plugins): Promise<Session> {
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
  const engine = await openEngine(options, { onRun, onWarning });
  return {
    engine,
    runs,
    outputs: [],
    async parser() {
      const [parseExpr, known] = await Promise.all([library.parseExpr(), library.operations()]);
      const operations = [...known, ...plugins.operations];
      return (text) => parseExpr(text, { operations });
    },
    pipe: (stream, operator) => {
      stream.pipeThrough(operator);
      return operator.readable;
    },
  };
}

/**
 * Creates the engine with the options of a command. Throws a CommandError for a value that it rejects.
 */
export async function openEngine(
  { device, memory, temp, threshold }: GlobalOptions,
  listeners: Pick<EngineOptions, "onRun" | "onWarning"> = {},
): Promise<Engine> {
  const createEngine = await library.createEngine();
  try {
    return createEngine({
      device,
      ...(memory === undefined ? {} : { memory }),
      ...(temp === undefined ? {} : { temp }),
      ...(threshold === undefined ? {} : { threshold }),
      ...listeners,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(commandMessage(error));
  }
}

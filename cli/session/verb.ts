/**
 * The parts of a verb of the command line.
 *
 * @module
 */

import type { BatchStream, FileSink } from "../../mod.ts";
import type { OptionNames, ParsedOptions } from "../words/options.ts";
import type { Session } from "./session.ts";
import type { WrittenRows } from "../library/library.ts";

/** A verb: its help, and the parser of its arguments. */
export interface Verb {
  readonly name: string;
  /** Its arguments, as the help shows them after its name. */
  readonly usage: string;
  /** One line, in the present tense. */
  readonly summary: string;
  /** The rest of its help. */
  readonly details: string;
  /** Its options; absent: none. */
  readonly options?: OptionNames;
  /** Whether it needs few rows of its input, or none; absent: all of them. */
  readonly wantsFewRows?: true;
  /** Whether it needs all rows and columns of its input; absent: that depends on the arguments. */
  readonly wantsAll?: true;
  /** Parses options and arguments; opens and loads nothing. Throws a CommandError for a mistake. */
  parse(given: ParsedOptions): Step;
}

/** A verb with its arguments. */
export type Step = SourceStep | TransformStep | SinkStep;

/** Begins a pipeline. */
export interface SourceStep {
  readonly role: "source";
  /** The files that it reads. */
  readonly reads: readonly string[];
  /** Whether it selects columns, or numbers those of the same name; absent: it reads all, unchanged. */
  readonly namesColumns?: boolean;
  open(session: Session): Promise<BatchStream>;
}

/** Adds one operator to the pipeline. */
interface TransformStep {
  readonly role: "transform";
  /** The files that it reads besides its input; absent: none. */
  readonly reads?: readonly string[];
  /** Whether it selects columns; absent: it reads all. */
  readonly namesColumns?: boolean;
  apply(stream: BatchStream, session: Session): BatchStream | Promise<BatchStream>;
}

/** Ends the pipeline, or writes the rows on their way through it. */
export type SinkStep = PrintStep | WriteStep;

/** Prints the result of the pipeline. No verb may follow. */
export interface PrintStep {
  readonly role: "sink";
  /** The reason why no verb may follow. */
  readonly last: string;
  /** Whether it only describes the plan, so that earlier writes do not run either. */
  readonly runsNothing?: true;
  /** Prepares the output. Errors are mistakes in the command. */
  open(session: Session): Print | Promise<Print>;
}

/** Consumes a stream. `before` has the earlier writes, in order. */
type Print = (stream: BatchStream, before: readonly WrittenRows[]) => Promise<void>;

/** Writes a file, and passes the rows on if verbs follow. */
export interface WriteStep {
  readonly role: "sink";
  /** The file. */
  readonly writes: string;
  /** The reason why no verb may follow; absent if one may. */
  readonly last?: string | undefined;
  /** Prepares the sink; writes nothing yet. Errors are mistakes in the command. */
  openSink(session: Session): FileSink | Promise<FileSink>;
}

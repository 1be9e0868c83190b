/**
 * Runs the steps of a command as one pipeline.
 *
 *     parseSteps     finds the verbs, parses their arguments, checks order, files and stdin
 *       runPipeline  opens each step: a source starts a stream, a transform extends it, a write ends it and
 *                    starts the next one with the same rows; a last step that prints runs now
 *         finish     each file, the last first: reading the rows of a later one writes the earlier ones
 *         commit     all files appear; after an error, none does
 *
 * @module
 */

import { isStdin } from "./library/known_words.ts";
import type { BatchStream } from "../mod.ts";
import { didYouMean } from "../base/nearest_name.ts";
import { placeOf } from "../base/paths.ts";
import { isUrl, localPath } from "../base/url.ts";
import { globalOptions, ownersOf, type StepWords } from "./words/command_line.ts";
import { CommandError, VerbError } from "../base/errors/command_error.ts";
import { library, type WrittenRows } from "./library/library.ts";
import { hasOption, parseOptions } from "./words/options.ts";
import { otherVerb } from "./words/other_verbs.ts";
import { inStep } from "../base/errors/wrap_error.ts";
import { isBrokenPipe, wrapIn } from "./print/report.ts";
import type { Session } from "./session/session.ts";
import type { SinkStep, SourceStep, Step, Verb } from "./session/verb.ts";
import { readStep } from "./verbs/read.ts";
import { showStep } from "./verbs/show.ts";
import { writeStep } from "./verbs/write.ts";

/** A step and its words in the command. */
export interface PlacedStep {
  readonly words: StepWords;
  readonly verb: Verb;
  readonly step: Step;
}

/** Looks up the verbs and parses their arguments. Reports every mistake that is visible without reading a file. */
export function parseSteps(steps: readonly StepWords[], verbs: readonly Verb[]): PlacedStep[] {
  const placed = steps.map((words): PlacedStep => {
    const verb = verbs.find(({ name }) => name === words.verb);
    if (verb === undefined) throw unknownVerb(words, verbs);
    const elsewhere = (name: string) =>
      hasOption(globalOptions, name)
        ? `it goes before the first verb: sluice --${name} ...`
        : ownersOf(name, verbs);
    const given = () => parseOptions(words.words, { ...verb.options, elsewhere });
    checkJoined(words, verbs);
    return { words, verb, step: inStep(() => verb.parse(given()), wrapIn(words, "parse")) };
  });
  placed.forEach(({ words, step }, index) => checkOrder(words, step, placed[index - 1]));
  checkWritten(placed);
  checkStdin(placed);
  return placed;
}

function mistakeIn({ number, verb }: StepWords, problem: string): VerbError {
  return new VerbError(number, verb, "parse", new CommandError(problem));
}

/** Checks that only one step reads standard input: two would each receive a part of it. */
function checkStdin(placed: readonly PlacedStep[]): void {
  let isTaken = false;
  for (const { words, step } of placed) {
    for (const file of step.role === "sink" ? [] : step.reads ?? []) {
      if (!isStdin(file)) continue;
      if (isTaken) throw mistakeIn(words, "standard input: can be read only once");
      isTaken = true;
    }
  }
}

/** Checks that no step reads or writes again a file that the command writes, since it appears at the end. */
function checkWritten(placed: readonly PlacedStep[]): void {
  const writers: { readonly file: string; readonly number: number }[] = [];
  for (const { words, step } of placed) {
    const used = step.role !== "sink" ? step.reads ?? [] : "writes" in step ? [step.writes] : [];
    for (const file of writers.length === 0 ? [] : used) {
      if (isStdin(file) || isUrl(file)) continue;
      const place = placeOf(localPath(file));
      const writer = writers.find((earlier) => placeOf(earlier.file) === place)?.number;
      if (writer === undefined) continue;
      const problem = step.role === "sink"
        ? `step ${writer} already writes ${file}`
        : `step ${writer} writes ${file}, which exists only when the command ends`;
      throw mistakeIn(words, problem);
    }
    if (step.role === "sink" && "writes" in step) {
      writers.push({ file: step.writes, number: words.number });
    }
  }
}

/** Verbs that stand alone. */
const standalone: readonly string[] = ["doctor", "ops", "help"];

function hintOf(verb: string, names: readonly string[]): string {
  const meant = otherVerb(verb);
  if (meant !== undefined) return `; ${meant}`;
  if (/\.\w+$|^https?:/.test(verb)) return "; to read a file: read FILE";
  return didYouMean(verb, names) || "; sluice help lists the verbs";
}

function unknownVerb({ number, verb }: StepWords, verbs: readonly Verb[]): CommandError {
  if (number > 1 && standalone.includes(verb)) {
    return new CommandError(
      `step ${number}: ${verb} is not a step of a pipeline; see sluice help ${verb}`,
    );
  }
  const names = verbs.map(({ name }) => name);
  const hint = hintOf(verb, number === 1 ? [...names, ...standalone] : names);
  return new CommandError(`step ${number}: Unknown verb ${JSON.stringify(verb)}${hint}`);
}

/** Reports a missing `then`: `read a.csv show`, `read a.csv | show`. Assumes that no file has a verb's name. */
function checkJoined(words: StepWords, verbs: readonly Verb[]): void {
  if (words.verb !== "read" && words.verb !== "write") return;
  const joint = words.words.findIndex((word, index) => {
    const isJoint = word === "|" || word === ",";
    // A word after an option may be its value: --delimiter "|".
    if (words.words[index - 1]?.startsWith("--")) return false;
    return isJoint || (index > 0 && verbs.some(({ name }) => name === word));
  });
  if (joint < 0) return;
  const problem = `Verbs are joined by then: ... then ${words.words.slice(joint).join(" ")}`;
  throw mistakeIn(words, problem.replace(/then [|,] ?/, "then "));
}

function checkOrder(words: StepWords, { role }: Step, before: PlacedStep | undefined): void {
  const last = before?.step.role === "sink" ? before.step.last : undefined;
  const problem = last !== undefined
    ? `Nothing can follow: ${last}`
    : role === "source" && before !== undefined
    ? "Only the first step can read"
    : undefined;
  if (problem !== undefined) throw mistakeIn(words, problem);
}

/**
 * Runs the steps. Checks arguments and schemas before it writes anything. Without a sink at the end, prints
 * a preview to a terminal, and an Arrow stream to any other stdout. Written files appear when all steps are
 * done, and none appears if a step fails.
 */
export async function runPipeline(steps: readonly PlacedStep[], session: Session): Promise<void> {
  const written: WrittenRows[] = [];
  try {
    await openAndPrint(steps, session, written);
    for (const rows of written) await rows.begin();
    // Reading a later file reads the rows of the earlier ones too.
    for (const rows of written.toReversed()) await finished(rows);
    for (const rows of written) await rows.commit();
  } catch (error) {
    for (const rows of written.toReversed()) await rows.abort(error);
    throw error;
  }
}

/**
 * Opens the steps, and runs the last one if it prints, or is the only one that writes. Adds other writes to
 * `written`, for the caller to run.
 */
async function openAndPrint(
  steps: readonly PlacedStep[],
  session: Session,
  written: WrittenRows[],
): Promise<void> {
  let stream: BatchStream | undefined;
  // The step of each node in the plan of `stream`, the source first.
  let nodes: StepWords[] = [];
  const all = withEnds(steps);
  for (const { words, step } of all) {
    const recording: Session = {
      ...session,
      pipe(stream, operator) {
        nodes.push(words);
        return session.pipe(stream, operator);
      },
    };
    if (step.role === "source") {
      nodes = [words];
      stream = await inStep(() => step.open(recording), wrapIn(words, "open"));
      continue;
    }
    const input = stream!;
    if (step.role === "transform") {
      stream = await inStep(() => step.apply(input, recording), wrapIn(words, "open"));
      continue;
    }
    const before = nodes;
    const ofInput = <T>(work: () => Promise<T>) => inStep(work, wrapIn(words, "run", before));
    const ofFile = <T>(work: () => Promise<T>) => inStep(work, wrapIn(words, "run"));
    const schemaOf = () => inStep(() => input.schema(), wrapIn(words, "plan", before));
    if ("openSink" in step) {
      const sink = await inStep(() => step.openSink(recording), wrapIn(words, "open"));
      const schema = await schemaOf();
      if (written.length === 0 && step === all.at(-1)!.step) {
        return await ofInput(() => input.pipeTo(sink));
      }
      const WrittenRows = await library.WrittenRows();
      const rows = new WrittenRows(input, sink, { ofInput, ofFile });
      written.push(rows);
      stream = rows.stream(session.engine, schema);
      nodes = [words];
    } else {
      const print = await inStep(() => step.open(recording), wrapIn(words, "open"));
      await schemaOf();
      if (step.runsNothing === true) {
        await ofInput(() => print(input, written));
        for (const rows of written.splice(0).toReversed()) await rows.abort(undefined);
        session.outputs.length = 0;
        return;
      }
      for (const rows of written) await rows.begin();
      await unlessLeft(() => ofInput(() => print(input, [])));
    }
  }
}

/** Writes the rest of a file, unless it is a pipe whose reader has left. */
async function finished(rows: WrittenRows): Promise<void> {
  await unlessLeft(() => rows.finish(), (error) => rows.abort(error));
}

/** Ignores a broken pipe: if the reader of stdout has left, only that output ends, and files are still written. */
async function unlessLeft(
  work: () => Promise<void>,
  onLeft?: (error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
    await onLeft?.(error);
  }
}

/** Adds a missing source and sink. Their errors count for the neighbouring step. */
function withEnds(steps: readonly PlacedStep[]): readonly PlacedStep[] {
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const source = first.step.role === "source" ? [] : [{ ...first, step: defaultSource() }];
  const sink = last.step.role === "sink" ? [] : [{ ...last, step: defaultSink() }];
  return [...source, ...steps, ...sink];
}

function defaultSource(): SourceStep {
  if (!Deno.stdin.isTerminal()) return readStep(["-"]);
  throw new CommandError("Begin with read FILE, or pipe an Arrow stream to stdin");
}

function defaultSink(): SinkStep {
  return Deno.stdout.isTerminal() ? showStep(10) : writeStep("-");
}

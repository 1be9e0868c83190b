/**
 * Measures every job against its peers, in rounds; prints a table, and whether the targets were reached. Then makes
 * the measurements without peers. Writes results as JSON to a folder, with charts.
 *
 * @module
 */

import { drawCharts } from "./charts/draw.ts";
import { contests } from "./contests.ts";
import { checkContest, type Contest } from "./support/contest.ts";
import { formatMarkdown, judge, judgementText, tableHead, tableRows } from "./support/judge.ts";
import { measureContest } from "./support/measure.ts";
import {
  addContest,
  openResults,
  readResults,
  type Results,
  writeResults,
} from "./support/results.ts";
import { SliceFiles } from "./support/slice_files.ts";
import { summaries } from "./support/summaries.ts";
import { tables } from "./tables.ts";

/** The options of a report. */
interface ReportOptions {
  /** Names of contests and tables, or the first parts of names; none means all. */
  readonly names: readonly string[];
  /** The number of rounds. */
  readonly numRounds: number;
  /** The rows of joins, slices and texts, and the most rows of growth. Default: that of each. */
  readonly numRows: number | undefined;
  /** The folder for `results.json` and the charts. */
  readonly folder: string;
  /** The milliseconds after which nothing new begins. */
  readonly limitMs?: number;
}

/** The result of a report. */
interface Report {
  readonly results: Results;
  /** The failures, and the names for which there was no time. */
  readonly failures: readonly string[];
}

/** Measures, prints and draws. */
export async function report(options: ReportOptions): Promise<Report> {
  const { names, folder } = options;
  await Deno.mkdir(folder, { recursive: true });
  const isOnlyDrawn = names.length > 0 && names.every((name) => name === "charts");
  const path = `${folder}/results.json`;
  const results = await (isOnlyDrawn ? readResults : openResults)(path);
  const reporter = new Reporter(options, results, path);
  await reporter.measure();
  for (const [name, text] of Object.entries(await drawCharts(results))) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return { results, failures: reporter.failures };
}

/** Returns all names that a report knows. */
export function reportNames(): string[] {
  const makers = contests({ numRows: undefined, sliceFiles: new SliceFiles() });
  return [...Object.keys(makers), ...Object.keys(tables), "charts"];
}

/** Whether a name is `wanted` or a part of it. */
export function isPart(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

class Reporter {
  readonly failures: string[] = [];
  readonly #options: ReportOptions;
  readonly #results: Results;
  readonly #path: string;
  readonly #rows: (readonly string[])[] = [...tableHead];
  readonly #judgements: string[] = [];
  readonly #startMs = performance.now();

  constructor(options: ReportOptions, results: Results, path: string) {
    this.#options = options;
    this.#results = results;
    this.#path = path;
  }

  /** Holds the contests in the order of the names, then makes the tables. */
  async measure(): Promise<void> {
    const { names, numRows } = this.#options;
    const sliceFiles = new SliceFiles();
    const makers = contests({ numRows, sliceFiles });
    const all = reportNames();
    const wanted = names.length === 0
      ? all
      : names.flatMap((wanted) => all.filter((name) => isPart(name, wanted)));
    try {
      for (const name of new Set(wanted)) {
        if (this.#isLate()) this.failures.push(`no time was left for ${name}`);
        else if (name in tables) await this.#makeTable(name, sliceFiles);
        else for await (const contest of await makers[name]?.() ?? []) await this.#hold(contest);
      }
    } finally {
      await sliceFiles.close();
    }
    this.#print();
  }

  #isLate(): boolean {
    return performance.now() - this.#startMs > (this.#options.limitMs ?? Infinity);
  }

  /** Holds a contest and records its result. Contenders that disagree fail only their own contest. */
  async #hold(contest: Contest): Promise<void> {
    const { numRounds } = this.#options;
    try {
      this.#announce(contest.name);
      await checkContest(contest);
      const measured = await measureContest(contest, numRounds);
      this.#rows.push(...tableRows(contest, measured));
      for (const judgement of judge(contest, measured)) {
        this.#judgements.push(judgementText(contest, judgement));
      }
      addContest(this.#results, contest, measured, numRounds);
      await writeResults(this.#path, this.#results);
    } catch (error) {
      this.failures.push(`${error}`);
    } finally {
      await contest.close();
    }
  }

  async #makeTable(name: string, sliceFiles: SliceFiles): Promise<void> {
    this.#announce(name);
    const { numRounds, numRows } = this.#options;
    const numSliceRows = numRows ?? SliceFiles.numRows;
    const results = this.#results;
    try {
      const lines = await tables[name]!({ numRounds, results, numRows, numSliceRows, sliceFiles });
      results.tables[name] = lines;
      await writeResults(this.#path, results);
      console.log(`\n${formatMarkdown(lines)}`);
    } catch (error) {
      this.failures.push(`${name}: ${error}`);
    }
  }

  /** Prints the name of the next measurement, and the time so far. */
  #announce(name: string): void {
    const seconds = Math.round((performance.now() - this.#startMs) / 1000);
    console.error(`${`${seconds}`.padStart(5)} s  ${name} ...`);
  }

  #print(): void {
    if (this.#rows.length === tableHead.length) return;
    const heading = `Medians of ${this.#options.numRounds} rounds of three runs, of slices more`;
    console.log(`\n${heading}\n\n${formatMarkdown(this.#rows)}\n`);
    console.log([...this.#judgements, ...summaries(this.#results)].join("\n"));
  }
}

/**
 * Measures the string operations on each kind of text: single operations, regular expressions, and a chain of five.
 * All contenders keep the whole result of text that was loaded, and so validated, before. Real names are also
 * measured with batches handed on, as new text, and in growing numbers.
 *
 * @module
 */

import type { Contest } from "./support/contest.ts";
import { type ColumnJob, FEW_ROWS, TextTable } from "./support/text_table.ts";
import {
  openTexts,
  type TextKindName,
  textKinds,
  type TextSubject,
  textSubjects,
} from "./support/texts.ts";

/** A job, and our targets as multiples of the speed of the faster peer. */
interface Job extends ColumnJob {
  /** The targets on ASCII names and on the other kinds of text. */
  readonly factors: readonly [ascii: number, others: number];
}

/** Letters without a single capital or small letter, as in "Straße"; DuckDB maps each to one letter. */
const EXCEPT = /[ßẖİ]/;

const jobs: readonly Job[] = [
  {
    ours: "name.upper()",
    sql: ["upper(name)"],
    polars: [(pl) => pl.col("name").str.toUpperCase()],
    reads: ["name"],
    except: EXCEPT,
    factors: [4, 1.5],
  },
  {
    ours: "name.lower()",
    sql: ["lower(name)"],
    polars: [(pl) => pl.col("name").str.toLowerCase()],
    reads: ["name"],
    except: EXCEPT,
    factors: [2, 1.5],
  },
  {
    ours: "name.slice(2, 8)",
    sql: ["substr(name, 3, 6)", "name[3:8]"],
    polars: [(pl) => pl.col("name").str.slice(2, 6)],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: 'name.splitPart(" ", 0)',
    sql: ["split_part(name, ' ', 1)", "string_split(name, ' ')[1]"],
    polars: [
      (pl) => pl.col("name").str.split(" ").lst.first(),
      (pl) => pl.col("name").str.extract("^([^ ]*)", 1),
    ],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: 'name.contains("an")',
    sql: ["contains(name, 'an')", "name like '%an%'"],
    polars: [
      (pl) => pl.col("name").str.contains("an", true),
      (pl) => pl.col("name").str.contains("an", false),
    ],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: 'name.replace(" ", "_")',
    sql: ["replace(name, ' ', '_')"],
    polars: [
      (pl) => pl.col("name").str.replaceAll(" ", "_", true),
      (pl) => pl.col("name").str.replaceAll(" ", "_", false),
    ],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: 'name.replace(" ", " von ")',
    sql: ["replace(name, ' ', ' von ')"],
    polars: [
      (pl) => pl.col("name").str.replaceAll(" ", " von ", true),
      (pl) => pl.col("name").str.replaceAll(" ", " von ", false),
    ],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: "name.length()",
    sql: ["length(name)"],
    // Without the cast, a sink of Polars takes the lengths for text and ends the process.
    polars: [(pl) => pl.col("name").str.lengths().cast(pl.UInt32)],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: "name.pad(24)",
    // Not `lpad`, which truncates longer text.
    sql: [
      "format('{:>24}', name)",
      "case when length(name) < 24 then repeat(' ', 24 - length(name)) || name else name end",
    ],
    polars: [(pl) => pl.col("name").str.padStart(24, " ")],
    reads: ["name"],
    factors: [2, 1.5],
  },
  {
    ours: "spaced.strip()",
    sql: ["trim(spaced)"],
    polars: [(pl) => pl.col("spaced").str.strip()],
    reads: ["spaced"],
    factors: [2, 1.5],
  },
  {
    ours: 'name + "," + spaced',
    sql: ["name || ',' || spaced"],
    // Unlike `concatString`, a sum with null is null.
    polars: [(pl) => pl.col("name").plus(pl.lit(",")).plus(pl.col("spaced"))],
    reads: ["name", "spaced"],
    factors: [2, 1.5],
  },
  {
    ours: 'name.containsRe("[aeiou]n [A-M]")',
    sql: ["regexp_matches(name, '[aeiou]n [A-M]')"],
    polars: [(pl) => pl.col("name").str.contains("[aeiou]n [A-M]", false)],
    reads: ["name"],
    factors: [2, 1],
  },
  {
    ours: 'name.extract("([a-z]+) ([A-Z])", 1)',
    // The others return null without a match; a match is never empty.
    sql: ["nullif(regexp_extract(name, '([a-z]+) ([A-Z])', 1), '')"],
    polars: [(pl) => pl.col("name").str.extract("([a-z]+) ([A-Z])", 1)],
    reads: ["name"],
    factors: [1, 1],
  },
  {
    ours: '"u/" + spaced.strip().lower().replace(" ", "-").slice(0, 12)',
    sql: ["'u/' || substr(replace(lower(trim(spaced)), ' ', '-'), 1, 12)"],
    polars: [
      (pl) =>
        pl.lit("u/").plus(
          pl.col("spaced").str.strip().str.toLowerCase().str.replaceAll(" ", "-", true).str.slice(
            0,
            12,
          ),
        ),
    ],
    reads: ["spaced"],
    except: EXCEPT,
    factors: [5, 3],
  },
];

/** The expressions of the jobs. */
export const stringExpressions: readonly string[] = jobs.map(({ ours }) => ours);

/** The amount of text, and the subject of the contests. */
interface StringOptions {
  /** Default: that of the kind of text. */
  readonly numRows?: number | undefined;
  /** The subject of the contests. Default: all keep the whole result of text that was loaded before. */
  readonly subject?: TextSubject;
}

/** Yields the contest of every job on one kind of text. */
export async function* stringContests(
  text: TextKindName,
  { numRows, subject = "strings" }: StringOptions,
): AsyncGenerator<Contest, void, void> {
  const table = await TextTable.open(await openTexts(text, numRows));
  try {
    for (const job of jobs) {
      const factor = job.factors[text === "ascii" ? 0 : 1];
      yield await table.contest(job, {
        name: `${textKinds[text].title}${textSubjects[subject]}: ${job.ours}`,
        labels: { subject, operation: job.ours, text },
        mode: subject === "strings handed on" ? "batches" : "whole",
        isNew: subject === "new strings",
        targets: [{ against: "the faster peer", factor }],
      });
    }
  } finally {
    await table.close();
  }
}

/** The numbers of rows at which speed is measured, and the jobs. */
const rowCounts = [1000, 10_000, 100_000, 1_000_000, 4_000_000];
const rowJobs = jobs.filter(({ ours }) => /^(name.upper|name.contains\(|"u)/.test(ours));

/** The runs of a round for few rows, which vary more. */
const RUNS_OF_FEW = 15;

/** Yields contests of a few jobs over growing numbers of real names. */
export async function* rowContests(): AsyncGenerator<Contest, void, void> {
  for (const numRows of rowCounts) {
    const table = await TextTable.open(await openTexts("real", numRows));
    try {
      for (const job of rowJobs) {
        const contest = await table.contest(job, {
          name: `${numRows.toLocaleString("en")} real names: ${job.ours}`,
          labels: { subject: "rows", operation: job.ours, text: "real" },
          targets: [],
        });
        yield numRows > FEW_ROWS ? contest : { ...contest, runsOfRound: RUNS_OF_FEW };
      }
    } finally {
      await table.close();
    }
  }
}

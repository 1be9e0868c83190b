/**
 * Redacts names: the first letter of the last name and the first name if the person is public, else "X X". This is
 * the usual demo of GPU string libraries.
 *
 * @module
 */

import { redactByHand } from "./redact_by_hand.ts";
import type { Contest } from "./support/contest.ts";
import { textBatches, type TextOf, words } from "./support/names.ts";
import { TextTable } from "./support/text_table.ts";
import { textKinds } from "./support/texts.ts";

const REDACTED = 'visibility == "public" ' +
  '? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

/** Returns the redaction in SQL, given the letter and the first name of a text with a blank. */
function redactedSql(letter: string, first: string): string {
  return `case when visibility = 'public' then case when contains(name, ' ')
    then ${letter} || ' ' || ${first} end else 'X X' end`;
}

const bySplitting = redactedSql(
  "substr(split_part(name, ' ', 2), 1, 1)",
  "split_part(name, ' ', 1)",
);
// Right only if no blank follows another.
const byPlaces = redactedSql(
  "substr(name, instr(name, ' ') + 1, 1)",
  "substr(name, 1, instr(name, ' ') - 1)",
);

const job = {
  ours: REDACTED,
  // The fastest of three ways: two regular expressions, or one replacement, take longer. Unlike
  // `concatString`, a sum with null is null.
  polars: [
    // deno-lint-ignore no-explicit-any
    (pl: any) =>
      pl.when(pl.col("visibility").eq(pl.lit("public")))
        .then(
          pl.col("name").str.split(" ").lst.get(1).str.slice(0, 1).plus(pl.lit(" "))
            .plus(pl.col("name").str.split(" ").lst.get(0)),
        )
        .otherwise(pl.lit("X X")),
  ],
  reads: ["name", "visibility"],
  byHand: redactByHand,
} as const;

/** Yields the contest over a number of rows of one kind of text. */
export async function* redactContest(
  text: keyof typeof names,
  numRows: number,
): AsyncGenerator<Contest, void, void> {
  const name = await names[text]();
  const table = await TextTable.open(
    textBatches(numRows, {
      name,
      visibility: (random) => random() % 2 === 0 ? "public" : "private",
    }),
  );
  try {
    const sql = text === "ascii" ? [bySplitting, byPlaces] : [bySplitting];
    yield await table.contest({ ...job, sql }, {
      name: `redact, ${numRows.toLocaleString("en")} ${textKinds[text].title}`,
      labels: { subject: "redact", operation: "redact", text },
      targets: [
        { against: "the faster peer", factor: 2 },
        { against: "a loop by hand", factor: 1 / 1.5 },
      ],
    });
  } finally {
    await table.close();
  }
}

const names = {
  /** One name in a thousand has no blank, and so no last name: null. */
  ascii(): Promise<TextOf> {
    const first = words(500, 1);
    const last = words(500, 2);
    return Promise.resolve((random) => {
      const blank = random() % 1000 === 0 ? "" : " ";
      return `${first[random() % 500]}${blank}${last[random() % 500]}`;
    });
  },
  /** Three names in five have no blank. */
  real: textKinds.real.open,
} as const;

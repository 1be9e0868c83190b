/**
 * The kinds of text that the string benches run on, each as a column `name`, and as a column `spaced`
 * with up to three blanks on either side.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { loadCityNames } from "../../tests/support/values/city_names.ts";
import { randomNumbers, textBatches, type TextOf, words } from "./names.ts";

/** A kind of text. */
interface TextKind {
  /** Its name in headings. */
  readonly title: string;
  readonly numRows: number;
  /** Returns the function that makes the text of a row. */
  open(): Promise<TextOf>;
}

/** The name of a kind of text. */
export type TextKindName = keyof typeof textKinds;

/** The subjects of contests about text, and their suffixes of the kind of text in headings. */
export const textSubjects = {
  strings: "",
  "strings handed on": ", handed on",
  /** Sluice validates UTF-8 in each run; peers did when they loaded it. */
  "new strings": ", new text",
} as const;

/** A subject of contests about text. */
export type TextSubject = keyof typeof textSubjects;

/** The approximate range of the bytes of a document, which ends with a word. */
const SHORTEST = 20;
const LONGEST = 100_000;

/** The kinds by name. */
export const textKinds = {
  /** Two made-up words with a blank between them: 13 bytes. */
  ascii: { title: "ASCII names", numRows: 2_000_000, open: asciiNames },
  /** 11 bytes; a fifth of the rows are not ASCII. */
  real: { title: "real names", numRows: 2_000_000, open: realNames },
  nulls: { title: "real names, a tenth null", numRows: 2_000_000, open: namesAndNulls },
  /** 170 bytes on average; the longest thousandth of the rows has a fifth of the bytes. */
  documents: { title: "documents", numRows: 400_000, open: documents },
} as const satisfies Readonly<Record<string, TextKind>>;

/** Makes record batches of a kind of text. `numRows` is that of the kind by default. */
export async function openTexts(
  kind: TextKindName,
  numRows: number = textKinds[kind].numRows,
): Promise<RecordBatch[]> {
  const name = await textKinds[kind].open();
  const blanks = (random: () => number) => " ".repeat(random() % 4);
  const spaced: TextOf = (random) => {
    const text = name(random);
    return text === null ? null : `${blanks(random)}${text}${blanks(random)}`;
  };
  return textBatches(numRows, { name, spaced });
}

function asciiNames(): Promise<TextOf> {
  const first = words(500, 1);
  const last = words(500, 2);
  return Promise.resolve((random) => `${first[random() % 500]} ${last[random() % 500]}`);
}

async function realNames(): Promise<TextOf> {
  const names = await loadCityNames();
  return (random) => names[random() % names.length]!;
}

async function namesAndNulls(): Promise<TextOf> {
  const name = await realNames();
  return (random) => random() % 10 === 0 ? null : name(random);
}

/**
 * Makes documents of words from the names, separated by blanks. Those of 20 to 40 bytes have as many bytes in total
 * as those of 40 to 80, and so on. Each is cut from one long text at blanks.
 */
async function documents(): Promise<TextOf> {
  const vocabulary = (await loadCityNames()).flatMap((name) => name.split(" "));
  const random = randomNumbers(1);
  const drawn = Array.from(
    { length: vocabulary.length },
    () => vocabulary[random() % vocabulary.length]!,
  );
  const text = drawn.join(" ");
  return (random) => {
    const share = random() / 2 ** 32;
    const size = SHORTEST / (1 - share * (1 - SHORTEST / LONGEST));
    const start = text.indexOf(" ", random() % (text.length - 2 * LONGEST)) + 1;
    return text.slice(start, text.indexOf(" ", start + size));
  };
}
